-- An entry of an index, and the item that it leads to.
--
-- KEYS  1 the index, 2 hash of the partition
-- ARGV  1 member, 2 SK
-- Returns whether the entry is there, 1 or 0, and the stored item or "".
return {redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0, redis.call('HGET', KEYS[2], ARGV[2]) or ''}
