-- A page of a partition.
--
-- KEYS  1 hash, 2 order (the hash again: the partition has only one item), 3 version of the scope,
--       4 `h` of a bucket or `p` of the directory
-- ARGV  1 tag, 2 fence or "", 3 "one", "up" or "down"
--       of one: 4 SK
--       else:   4 and 5 the range, 6 how many items or -1; where a part of it has a tail of its
--               own: 7 and 8 the range of that part, 9 how many of its last items, 10 where what is
--               before that part ends
local hash, order, counter, guard = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tag, fence, way = ARGV[1], ARGV[2], ARGV[3]
local is_down = way == 'down'

local function answer(items)
	local number = tag == '{d}' and tonumber(redis.call('GET', guard) or 0) or 0
	return {'OK', redis.call('GET', counter) or '', number, items}
end

local function range(min, max, n)
	if is_down then
		return redis.call('ZREVRANGEBYLEX', order, max, min, 'LIMIT', 0, n)
	end
	return redis.call('ZRANGEBYLEX', order, min, max, 'LIMIT', 0, n)
end

-- Lua's own order of strings is that of the locale.
local function is_below(a, b)
	for i = 1, math.min(#a, #b) do
		if a:byte(i) ~= b:byte(i) then
			return a:byte(i) < b:byte(i)
		end
	end
	return #a < #b
end

-- The ranges of the page, in their order from the least: around what the tail leaves out.
local function ranges()
	local min, max = ARGV[4], ARGV[5]
	if not ARGV[7] then
		return {{min, max}}
	end
	local tail_min, tail_max, tail_n, before = ARGV[7], ARGV[8], tonumber(ARGV[9]), ARGV[10]
	local tail = tail_n > 0 and
		redis.call('ZREVRANGEBYLEX', order, tail_max, tail_min, 'LIMIT', 0, tail_n) or {}
	if #tail == 0 and tail_max == '+' then
		return {{min, before}}
	end
	local from = '[' .. (tail[#tail] or tail_max:sub(2))
	if not is_below(min:sub(2), from:sub(2)) then
		from = min
	end
	return {{min, before}, {from, max}}
end

if fence ~= '' and redis.call('GET', guard) ~= fence then
	return {'FENCED', '', 0, {}}
end
if way == 'one' then
	local stored = redis.call('HGET', hash, ARGV[4])
	return answer(stored and {ARGV[4], stored} or {})
end

local parts, left, items = ranges(), tonumber(ARGV[6]), {}
for i = 1, #parts do
	local part = parts[is_down and #parts + 1 - i or i]
	local sks = left ~= 0 and range(part[1], part[2], left) or {}
	left = left < 0 and left or left - #sks
	for first = 1, #sks, 500 do
		local some = {unpack(sks, first, math.min(first + 499, #sks))}
		for at, stored in ipairs(redis.call('HMGET', hash, unpack(some))) do
			if stored then
				items[#items + 1] = some[at]
				items[#items + 1] = stored
			end
		end
	end
end
return answer(items)
