-- Sets the next try of a record that is unknown under this fence.
--
--   KEYS[2]  the record
--   ARGV     fence, kind (retry-after, dead-letter or reset), tries that the decision is based on, delay in microseconds,
--            source and detail of the evidence

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local fence, kind, tries = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)
local outdated = kind ~= 'reset' and (r.tries ~= tries or r.till == 0)

if r.fence ~= fence or r.state ~= UNKNOWN or outdated then
    return answer(ANSWER_REFUSED, now, value)
end

local change = REQUEUED
r.updated = now
if kind == 'retry-after' then
    change, r.till = RESCHEDULED, now + tonumber(ARGV[4])
elseif kind == 'dead-letter' then
    change, r.till = DEAD_LETTERED, 0
else
    r.till, r.tries = now, 0
end
note(r, now, change, UNKNOWN, ARGV[5], ARGV[6])
write(MEMBER, r)
return answer(ANSWER_SETTLED, now, string.char(UNKNOWN))
