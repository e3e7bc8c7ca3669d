-- Remove an entry of the directory's indexes whose item of a room does not fit it, unless it was
-- written within the last minute: the commit that it is for may still come.
--
-- KEYS  1 when each was written, 2 the index
-- ARGV  1 name of the index, 2 the member
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
local at_ms = redis.call('ZSCORE', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
if at_ms and tonumber(at_ms) >= now_ms - 60000 then
	return 'KEPT'
end
redis.call('ZREM', KEYS[2], ARGV[2])
return 'OK'
