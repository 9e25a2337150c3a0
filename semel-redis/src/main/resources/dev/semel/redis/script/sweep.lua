-- Finds leases that have expired, oldest first: those records become unknown, or are offered to the next claim.
--
--   ARGV  how many at most
--
-- Replies with the time, then member and record of each.

local now = clock()
local swept = { answer(0, now, '') }

for _, member in ipairs(redis.call('ZRANGEBYSCORE', ROOT .. ':leases', '-inf', now, 'LIMIT', 0, ARGV[1])) do
    local r = load_record(member, now)
    if r == nil or r and r.index ~= ':leases' then
        redis.call('ZREM', ROOT .. ':leases', member)
    elseif r and r.till > now then
        redis.call('ZADD', ROOT .. ':leases', r.till, member)
    elseif r then
        if r.reexecutable then
            r.updated, r.reason = now, LEASE_EXPIRED
            note(r, now, REOFFERED, IN_PROGRESS, 'sweeper', LEASE_EXPIRED)
        else
            give_up(r, now, 'sweeper')
        end
        swept[#swept + 1] = member
        swept[#swept + 1] = write(member, r)
    else
        postpone(ROOT .. ':leases', member, now)
    end
end
return swept
