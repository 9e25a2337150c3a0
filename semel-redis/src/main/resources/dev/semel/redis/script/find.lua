-- Reads a record, with the time.
--
--   KEYS[2]  the record

local value = redis.call('GET', KEYS[2])
return value and answer(0, clock(), value) or ''
