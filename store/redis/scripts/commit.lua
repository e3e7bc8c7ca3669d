-- Commits, in their order, each whole or not at all. Of each the token first, then the fence, then every
-- condition; from its first write on nothing can fail.
--
-- KEYS  the tokens; the versions of their scopes; of those that have one, `h` of the bucket or `p` of the
--       directory; then of each partition hash and order (the hash again: it has only one item); then the
--       indexes
-- ARGV  1 how many commits, 2 how many keys stand before the partitions', 3 life of a token in ms,
--       4 channel; then for each commit:
--         fence, "directory", or "": neither, so no third key; what is published or ""
--         what is expected of its partitions, each with an SK: a version of 8 bytes, or a word that unmet() knows;
--             "next" between two partitions; "then"
--         what is written there, each with SK and body: a word that write() knows; "next" as before; "end"
-- Returns the number of the last publication, then of each commit its code and version, with a colon between them.
local call, KEYS, ARGV = redis.call, KEYS, ARGV
local count, heads_count, life_ms, channel = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

-- ---- conditions ----

local function unmet(stored, expected)
	if expected == 'absent' then
		return stored and 'CONFLICT'
	elseif expected == 'there' then -- where no space is left for what is new
		return not stored and 'FULL'
	elseif expected == 'none' then -- both
		return stored and 'CONFLICT' or 'FULL'
	end
	return (not stored or stored:sub(1, 8) ~= expected) and 'CONFLICT'
end

-- The code of the first that is not met, and where the writes begin. With a code, nothing is looked at.
local function judge(at, key, code)
	local expected = ARGV[at]
	while expected ~= 'then' do
		if expected == 'next' then
			at, key = at + 1, key + 2
		else
			code = code or unmet(call('HGET', KEYS[key], ARGV[at + 1]), expected)
			at = at + 2
		end
		expected = ARGV[at]
	end
	return code, at + 1
end

-- ---- indexes ----

-- Entries of indexes stand before the value: length, then name and member of each.
local function entries(counter, stored, from)
	local list, at, tag = {}, from + 4, counter:sub(1, -2)
	local stop = at + struct.unpack('>I4', stored, from)
	while at < stop do
		local name, member
		name, member, at = struct.unpack('>Bc0Hc0', stored, at)
		list[#list + 1] = {tag .. 'x:' .. name, member}
	end
	return list
end

-- What is damaged is listed nowhere: readers look at the item itself.
local function unlist(counter, stored)
	local is_whole, list = pcall(entries, counter, stored, 9)
	for _, entry in ipairs(is_whole and list or {}) do
		call('ZREM', entry[1], entry[2])
	end
end

local function relist(counter, stored, body)
	local len = 4 + struct.unpack('>I4', body, 1)
	if stored and stored:sub(9, 8 + len) == body:sub(1, len) then
		return
	end
	if stored then
		unlist(counter, stored)
	end
	for _, entry in ipairs(entries(counter, body, 1)) do
		call('ZADD', entry[1], 0, entry[2])
	end
end

-- ---- writes ----

local function put(hash, order, sk, stored)
	if call('HSET', hash, sk, stored) == 1 and order ~= hash then
		call('ZADD', order, 0, sk)
	end
end

local function delete(hash, order, sks, listed_by)
	if listed_by then
		for _, stored in ipairs(call('HMGET', hash, unpack(sks))) do
			if stored then
				unlist(listed_by, stored)
			end
		end
	end
	call('HDEL', hash, unpack(sks))
	if order ~= hash then
		call('ZREM', order, unpack(sks))
	end
end

-- unpack() takes a bounded number.
local function delete_prefix(hash, order, prefix, max, listed_by)
	local sks
	local min = prefix == '' and '-' or '[' .. prefix
	repeat
		sks = call('ZRANGEBYLEX', order, min, max, 'LIMIT', 0, 256)
		if #sks > 0 then
			delete(hash, order, sks, listed_by)
		end
	until #sks < 256
end

-- Returns where the next commit begins, and its partitions' keys. "listed": an index of this scope may have
-- what is replaced or removed.
local function write(at, key, counter, version)
	local kind = ARGV[at]
	while kind ~= 'end' do
		local hash, order = KEYS[key], KEYS[key + 1]
		if kind == 'next' then
			at, key = at + 1, key + 2
		else
			local sk, body = ARGV[at + 1], ARGV[at + 2]
			if kind == 'put' then -- body: what is stored behind the version
				put(hash, order, sk, version .. body)
			elseif kind == 'put listed' then
				relist(counter, call('HGET', hash, sk), body)
				put(hash, order, sk, version .. body)
			elseif kind == 'delete' then
				delete(hash, order, {sk})
			elseif kind == 'delete listed' then
				delete(hash, order, {sk}, counter)
			elseif kind == 'prefix' then -- body: the bound above it
				delete_prefix(hash, order, sk, body)
			elseif kind == 'prefix listed' then
				delete_prefix(hash, order, sk, body, counter)
			end
			at = at + 3
		end
		kind = ARGV[at]
	end
	return at + 1, key + 2
end

-- The same of a commit that is not made.
local function skip(at, key)
	while ARGV[at] ~= 'end' do
		if ARGV[at] == 'next' then
			at, key = at + 1, key + 2
		else
			at = at + 3
		end
	end
	return at + 1, key + 2
end

-- ---- commits ----

local heads, time = call('MGET', unpack(KEYS, 1, heads_count)), call('TIME')
local now = time[1] * 1000000 + time[2]
local now_packed = struct.pack('>I8', now)
local expiry_ms = string.format('%.0f', math.floor(now / 1000) + life_ms) -- `..` writes 1.8e+12
local made, last, published, answers = {}, {}, 0, {}

local function version_behind(before)
	local number = before and struct.unpack('>I8', before) + 1 or now
	return number > now and struct.pack('>I8', number) or now_packed
end

local function commits()
	local at, key, third = 5, heads_count + 1, 2 * count + 1
	for i = 1, count do
		local token, counter, fence, body = KEYS[i], KEYS[count + i], ARGV[at], ARGV[at + 1]
		local guard, code = nil, nil
		local version = made[token] or heads[i]
		if fence ~= '' then
			guard, third = heads[third], third + 1
		end
		if fence == 'directory' then
			published = math.max(published, tonumber(guard or 0))
		end
		if version then
			code = 'SEEN'
			call('PEXPIRE', token, life_ms)
		elseif fence ~= '' and fence ~= 'directory' and guard ~= fence then
			code = 'FENCED'
		end
		code, at = judge(at + 2, key, code)
		if code then
			at, key = skip(at, key)
		else
			code, version = 'OK', version_behind(last[counter] or heads[count + i])
			at, key = write(at, key, counter, version)
			call('SET', token, version, 'PXAT', expiry_ms)
			made[token], last[counter] = version, version
			if body ~= '' then
				published = call('INCR', KEYS[third - 1])
				call('SPUBLISH', channel, struct.pack('>I8', published) .. body)
			end
		end
		answers[i + 1] = code .. ':' .. (version or '')
	end
end

-- Where one fails, because of damaged data, those before it were made.
local is_whole, why = pcall(commits)
local versions = {}
for counter, version in pairs(last) do
	versions[#versions + 1], versions[#versions + 2] = counter, version
end
if #versions > 0 then
	call('MSET', unpack(versions))
end
if not is_whole then
	error(why)
end
answers[1] = published
return answers
