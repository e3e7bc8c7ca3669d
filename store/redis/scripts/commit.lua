-- A commit: all of it, or nothing. The token first, then the fence, then every condition; from the
-- first write on nothing can fail.
--
-- KEYS  1 token, 2 version of the scope, 3 `h` of a bucket or `p` of the directory; then what the
--       operations name, and the indexes
-- ARGV  1 tag, 2 fence or "", 3 life of the token in ms, 4 what is published or "", 5 channel;
--       then eleven for each operation, see op() below
local token, counter, guard = KEYS[1], KEYS[2], KEYS[3]
local tag, fence, life_ms, body, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local FIRST, WIDTH = 6, 11

local function op(i)
	return {
		kind = ARGV[i], -- check, put, delete, prefix
		expect = ARGV[i + 1], -- any, absent, version
		version = ARGV[i + 2],
		hash = KEYS[tonumber(ARGV[i + 3])],
		order = KEYS[tonumber(ARGV[i + 4])], -- nil: the partition has only one item
		is_listed = ARGV[i + 5] == '1', -- an index of this scope may list it
		sk = ARGV[i + 6],
		body = ARGV[i + 7], -- of a put: what is stored behind the version
		min = ARGV[i + 8], -- of a prefix
		max = ARGV[i + 9],
		is_new_refused = ARGV[i + 10] == '1', -- a put: there is space only for what overwrites
	}
end

-- The number of the last publication; rooms publish nothing.
local function published()
	return tag == '{d}' and tonumber(redis.call('GET', guard) or 0) or 0
end

-- Entries of indexes stand before the value: length, then name and member of each.
local function entries(stored, from)
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
local function unlist(stored)
	local is_whole, list = pcall(entries, stored, 9)
	for _, entry in ipairs(is_whole and list or {}) do
		redis.call('ZREM', entry[1], entry[2])
	end
end

local function has_same_entries(stored, body)
	local len = 4 + struct.unpack('>I4', body, 1)
	return stored:sub(9, 8 + len) == body:sub(1, len)
end

local function put(o, version)
	local stored = o.is_listed and redis.call('HGET', o.hash, o.sk)
	if o.is_listed and not (stored and has_same_entries(stored, o.body)) then
		if stored then
			unlist(stored)
		end
		for _, entry in ipairs(entries(o.body, 1)) do
			redis.call('ZADD', entry[1], 0, entry[2])
		end
	end
	redis.call('HSET', o.hash, o.sk, version .. o.body)
	if o.order then
		redis.call('ZADD', o.order, 0, o.sk)
	end
end

local function delete(o, sks)
	if o.is_listed then
		for _, stored in ipairs(redis.call('HMGET', o.hash, unpack(sks))) do
			if stored then
				unlist(stored)
			end
		end
	end
	redis.call('HDEL', o.hash, unpack(sks))
	if o.order then
		redis.call('ZREM', o.order, unpack(sks))
	end
end

-- unpack() takes a bounded number.
local function delete_prefix(o)
	local sks
	repeat
		sks = redis.call('ZRANGEBYLEX', o.order, o.min, o.max, 'LIMIT', 0, 256)
		if #sks > 0 then
			delete(o, sks)
		end
	until #sks < 256
end

local made = redis.call('GET', token)
if made then
	redis.call('PEXPIRE', token, life_ms)
	return {'SEEN', made, published()}
end
if fence ~= '' and redis.call('GET', guard) ~= fence then
	return {'FENCED', '', 0}
end
for i = FIRST, #ARGV, WIDTH do
	local o = op(i)
	if o.expect ~= 'any' then
		local stored = redis.call('HGET', o.hash, o.sk)
		if (o.expect == 'absent') == (stored ~= false) or
		   (o.expect == 'version' and stored:sub(1, 8) ~= o.version) then
			return {'CONFLICT', '', published()}
		end
	end
	if o.is_new_refused and redis.call('HEXISTS', o.hash, o.sk) == 0 then
		return {'FULL', '', published()}
	end
end

local now = redis.call('TIME')
local last = redis.call('GET', counter)
local number = tonumber(now[1]) * 1000000 + tonumber(now[2])
if last then
	number = math.max(number, struct.unpack('>I8', last) + 1)
end
local version = struct.pack('>I8', number)
for i = FIRST, #ARGV, WIDTH do
	local o = op(i)
	if o.kind == 'put' then
		put(o, version)
	elseif o.kind == 'delete' then
		delete(o, {o.sk})
	elseif o.kind == 'prefix' then
		delete_prefix(o)
	end
end
redis.call('SET', counter, version)
redis.call('SET', token, version, 'PX', life_ms)
if body ~= '' then
	redis.call('SPUBLISH', channel, struct.pack('>I8', redis.call('INCR', guard)) .. body)
end
return {'OK', version, published()}
