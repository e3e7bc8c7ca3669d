-- Commits, in their order, each whole or not at all. Of each the token first, then the fence, then every
-- condition; from its first write on nothing can fail.
--
-- KEYS  for each commit three: its token, the version of its scope, `h` of a bucket or `p` of the
--       directory; then what the operations name, and the indexes
-- ARGV  1 how many commits, 2 life of a token in ms, 3 channel; then for each commit: fence or "", what is
--       published or "", the number of words that follow; and these:
--         "in", hash, order or 0: the partition of what follows, as numbers of KEYS; a partition of
--             one item has no order
--         kind, what is expected, "1" if an index of this scope may list the item, SK, body: an operation
-- Returns three for each commit: code, version, number of the last publication.
local call, KEYS, ARGV = redis.call, KEYS, ARGV
local count, life_ms, channel = tonumber(ARGV[1]), ARGV[2], ARGV[3]

-- Why these operations cannot be made, or nil.
local function judge(at, stop)
	local hash
	while at < stop do
		if ARGV[at] == 'in' then
			hash, at = KEYS[tonumber(ARGV[at + 1])], at + 3
		else
			local expected = ARGV[at + 1] -- "", absent, there, none, or a version in 8 bytes
			local stored = expected ~= '' and call('HGET', hash, ARGV[at + 3])
			if expected == 'absent' or expected == 'none' then
				if stored or expected == 'none' then
					return stored and 'CONFLICT' or 'FULL'
				end
			elseif expected == 'there' then
				if not stored then
					return 'FULL'
				end
			elseif expected ~= '' and not (stored and stored:sub(1, 8) == expected) then
				return 'CONFLICT'
			end
			at = at + 5
		end
	end
end

-- Entries of indexes stand before the value: length, then name and member of each.
local function entries(tag, stored, from)
	local list, at = {}, from + 4
	local stop = at + struct.unpack('>I4', stored, from)
	while at < stop do
		local name, member
		name, member, at = struct.unpack('>Bc0Hc0', stored, at)
		list[#list + 1] = {tag .. 'x:' .. name, member}
	end
	return list
end

-- What is damaged is listed nowhere: readers look at the item itself.
local function unlist(tag, stored)
	local is_whole, list = pcall(entries, tag, stored, 9)
	for _, entry in ipairs(is_whole and list or {}) do
		call('ZREM', entry[1], entry[2])
	end
end

local function relist(tag, stored, body)
	local len = 4 + struct.unpack('>I4', body, 1)
	if stored and stored:sub(9, 8 + len) == body:sub(1, len) then
		return
	end
	if stored then
		unlist(tag, stored)
	end
	for _, entry in ipairs(entries(tag, body, 1)) do
		call('ZADD', entry[1], 0, entry[2])
	end
end

local function delete(tag, hash, order, is_listed, sks)
	if is_listed then
		for _, stored in ipairs(call('HMGET', hash, unpack(sks))) do
			if stored then
				unlist(tag, stored)
			end
		end
	end
	call('HDEL', hash, unpack(sks))
	if order then
		call('ZREM', order, unpack(sks))
	end
end

-- unpack() takes a bounded number.
local function delete_prefix(tag, hash, order, is_listed, min, max)
	local sks
	repeat
		sks = call('ZRANGEBYLEX', order, min, max, 'LIMIT', 0, 256)
		if #sks > 0 then
			delete(tag, hash, order, is_listed, sks)
		end
	until #sks < 256
end

local function write(at, stop, tag, version)
	local hash, order
	while at < stop do
		local kind = ARGV[at]
		if kind == 'in' then
			hash, order = KEYS[tonumber(ARGV[at + 1])], KEYS[tonumber(ARGV[at + 2])]
			at = at + 3
		else
			local is_listed, sk, body = ARGV[at + 2] == '1', ARGV[at + 3], ARGV[at + 4]
			if kind == 'put' then -- body: what is stored behind the version
				if is_listed then
					relist(tag, call('HGET', hash, sk), body)
				end
				if call('HSET', hash, sk, version .. body) == 1 and order then
					call('ZADD', order, 0, sk)
				end
			elseif kind == 'delete' then
				delete(tag, hash, order, is_listed, {sk})
			elseif kind == 'prefix' then -- body: the bound above it
				delete_prefix(tag, hash, order, is_listed, sk == '' and '-' or '[' .. sk, body)
			end
			at = at + 5
		end
	end
end

local heads, time = call('MGET', unpack(KEYS, 1, 3 * count)), call('TIME')
local now = time[1] * 1000000 + time[2]
local made, last, published = {}, {}, nil -- by commits before: token, version of a scope, publication
local answers, at = {}, 4
for i = 1, 3 * count, 3 do
	local token, counter, guard = KEYS[i], KEYS[i + 1], KEYS[i + 2]
	local fence, body, first = ARGV[at], ARGV[at + 1], at + 3
	local stop = first + tonumber(ARGV[at + 2])
	local code, version = nil, made[token] or heads[i]
	if version then
		code = 'SEEN'
		call('PEXPIRE', token, life_ms)
	elseif fence ~= '' and heads[i + 2] ~= fence then
		code = 'FENCED'
	else
		code = judge(first, stop)
	end
	if guard == '{d}p' then
		published = published or tonumber(heads[i + 2] or 0)
	end
	if not code then
		local before = last[counter] or (heads[i + 1] and struct.unpack('>I8', heads[i + 1])) or 0
		last[counter] = math.max(now, before + 1)
		version = struct.pack('>I8', last[counter])
		made[token], code = version, 'OK'
		write(first, stop, counter:sub(1, -2), version)
		call('SET', counter, version)
		call('SET', token, version, 'PX', life_ms)
		if body ~= '' then
			published = call('INCR', guard)
			call('SPUBLISH', channel, struct.pack('>I8', published) .. body)
		end
	end
	answers[i], answers[i + 1] = code, version or ''
	answers[i + 2] = guard == '{d}p' and published or 0 -- rooms publish nothing
	at = stop
end
return answers
