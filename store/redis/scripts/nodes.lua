-- Renew the entry of a node, or list all of them.
--
-- KEYS  1 entries: number to until when, since when, value; 2 who has the data alone
-- ARGV  1 number of the node; empty: list. 2 for how many ms, 3 value
--
-- Entries with a time, in one hash, and not keys with a life: so the list is one command, which names
-- its key. All of them are judged by the clock of this server, as lives of keys are. What has ended is
-- removed by the next node that renews its own.
if redis.call('EXISTS', KEYS[2]) == 1 then
	return {'ALONE'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer, since, all = {'OK'}, nil, redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
	local number, entry = all[i], all[i + 1]
	if now < tonumber(entry:sub(1, 16)) then
		since = number == ARGV[1] and entry:sub(17, 24) or since
		answer[#answer + 1] = number
		answer[#answer + 1] = entry:sub(25)
	elseif ARGV[1] ~= '' then
		redis.call('HDEL', KEYS[1], number)
	end
end
if ARGV[1] == '' then
	return answer
end
since = since or struct.pack('>I8', time[1] * 1000000 + time[2])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%016.0f', now + ARGV[2]) .. since .. ARGV[3])
return {'OK', since}
