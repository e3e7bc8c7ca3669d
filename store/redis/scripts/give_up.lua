-- Give a commit up: if it was not made it never will be, as its token is known from now on. It writes in any case:
-- a WAIT follows.
--
-- KEYS  1 token
-- ARGV  1 life of the token in ms
if redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
else
	redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return 'OK'
