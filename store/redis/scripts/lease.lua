-- Have the data open alone, go on having them open, or close them.
--
-- KEYS  1 who has them open, 2 entries of nodes (nodes.lua)
-- ARGV  1 who asks, 2 for how many ms; 0: close
local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] then
	return 'TAKEN'
end
if ARGV[2] == '0' then
	redis.call('DEL', KEYS[1])
	return 'OK'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all = redis.call('HGETALL', KEYS[2])
for i = 2, #all, 2 do
	if now < tonumber(all[i]:sub(1, 16)) then
		return 'NODES'
	end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'OK'
