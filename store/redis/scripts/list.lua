-- Write entries of the directory's indexes that lead to items of a room, before the room's commit.
--
-- KEYS  1 when each was written, then the indexes
-- ARGV  for each index: its name, the member
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
for i = 2, #KEYS do
	local name, member = ARGV[2 * i - 3], ARGV[2 * i - 2]
	redis.call('ZADD', KEYS[i], 0, member)
	redis.call('ZADD', KEYS[1], now_ms, name .. ':' .. member)
end
-- What has no time there is older than a minute.
local old = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now_ms - 60001), 'LIMIT', 0, 64)
if #old > 0 then
	redis.call('ZREM', KEYS[1], unpack(old))
end
return 'OK'
