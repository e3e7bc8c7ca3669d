-- Which of these entries an index lacks.
--
-- KEYS  1 the index
-- ARGV  the members
-- Returns the numbers of those that are not there, from 1 on.
local missing = {}
for i, member in ipairs(ARGV) do
	if not redis.call('ZSCORE', KEYS[1], member) then
		missing[#missing + 1] = i
	end
end
return missing
