-- Notices leases that have expired, oldest first: those records become unknown, or are offered to the next claim.
--
--   ARGV  how many at most
--
-- Answers with the time, then member and record of each.

local now = clock()
local swept = { answer(0, now, '') }

for _, member in ipairs(redis.call('ZRANGEBYSCORE', ROOT .. ':leases', '-inf', now, 'LIMIT', 0, ARGV[1])) do
    local value = redis.call('GET', record_key(member))
    local r = value and read(value, now)
    if not r or r.state ~= IN_PROGRESS or r.till > now then
        redis.call('ZREM', ROOT .. ':leases', member)
    else
        unindex(member, r)
        if r.reexecutable then
            r.updated, r.reason = now, LEASE_EXPIRED
            note(r, now, REOFFERED, IN_PROGRESS, 'sweeper', LEASE_EXPIRED)
        else
            give_up(r, now, 'sweeper')
        end
        write(member, r)
        swept[#swept + 1] = member
        swept[#swept + 1] = pack(r)
    end
end
return swept
