-- The items of a partition, with what the scope has of each besides.
--
-- KEYS  1 hash, 2 order; then the indexes of the scope
-- ARGV  1 tag, 2 whether the partition has an order: "1", 3 "i", or "o": only an order without a hash
-- Returns SK, stored item, and "", "order" or "index": what does not have it, or "item": there is none.
local hash, order = KEYS[1], KEYS[2]
local tag, has_order, only_order = ARGV[1], ARGV[2] == '1', ARGV[3] == 'o'

local function is_listed(stored)
	local at = 13
	local stop = at + struct.unpack('>I4', stored, 9)
	while at < stop do
		local name, member
		name, member, at = struct.unpack('>Bc0Hc0', stored, at)
		if not redis.call('ZSCORE', tag .. 'x:' .. name, member) then
			return false
		end
	end
	return true
end

if only_order and redis.call('EXISTS', hash) == 1 then
	return {}
end
local found, all, has = {}, redis.call('HGETALL', hash), {}
for i = 1, #all, 2 do
	local sk, stored = all[i], all[i + 1]
	local is_whole, listed = pcall(is_listed, stored)
	local lacks = has_order and not redis.call('ZSCORE', order, sk) and 'order' or
		is_whole and not listed and 'index' or ''
	has[sk] = true
	found[#found + 1] = {sk, stored, lacks}
end
for _, sk in ipairs(redis.call('ZRANGEBYLEX', order, '-', '+')) do
	if not has[sk] then
		found[#found + 1] = {sk, '', 'item'}
	end
end
return found
