-- Takes unknown records of an operation whose next try is due, oldest first; each is due again after the hold.
--
--   ARGV  how many at most, operation, hold in microseconds
--
-- Replies with the time, then member and record of each.

local now = clock()
local hold = tonumber(ARGV[3])
local index = ROOT .. ':due:' .. ARGV[2]
local taken = { answer(0, now, '') }

for _, member in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, ARGV[1])) do
    local r = load_record(member, now)
    if r == nil or r and ROOT .. (r.due or '') ~= index then
        redis.call('ZREM', index, member)
    elseif r and r.till > now then
        redis.call('ZADD', index, r.till, member)
    elseif r then
        r.updated, r.tries, r.till = now, r.tries + 1, now + hold
        taken[#taken + 1] = member
        taken[#taken + 1] = write(member, r)
    else
        postpone(index, member, now)
    end
end
return taken
