-- Takes unknown records of an operation whose next try is due, oldest first; they are due again after the hold.
--
--   ARGV  how many at most, operation, hold in microseconds
--
-- Answers with the time, then member and record of each.

local now = clock()
local hold = tonumber(ARGV[3])
local index = ROOT .. ':due:' .. ARGV[2]
local taken = { answer(0, now, '') }

for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, ARGV[1])) do
    local value = redis.call('GET', record_key(member))
    local r = value and read(value, now)
    if not r or r.state ~= UNKNOWN or r.operation ~= ARGV[2] or r.till == 0 or r.till > now then
        redis.call('ZREM', index, member)
    else
        r.updated, r.tries, r.till = now, r.tries + 1, now + hold
        write(member, r)
        taken[#taken + 1] = member
        taken[#taken + 1] = pack(r)
    end
end
return taken
