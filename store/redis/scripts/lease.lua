-- Have the data open, go on having them open, or close them.
--
-- KEYS  1 who has them open
-- ARGV  1 who asks, 2 for how many ms; 0: close
local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] then
	return 'TAKEN'
end
if ARGV[2] == '0' then
	redis.call('DEL', KEYS[1])
else
	redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 'OK'
