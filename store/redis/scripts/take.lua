-- Take a bucket of rooms, or give it up.
--
-- KEYS  1 who has it, 2 version of the scope
-- ARGV  1 fence, 2 "take" or "give"
local home, counter = KEYS[1], KEYS[2]
local fence, what = ARGV[1], ARGV[2]
local had = redis.call('GET', home) or ''
local version = redis.call('GET', counter) or ''
if what == 'take' then
	redis.call('SET', home, fence)
elseif had == fence then
	redis.call('DEL', home)
elseif had ~= '' then
	return {'FENCED', had, version}
end
return {'OK', had, version}
