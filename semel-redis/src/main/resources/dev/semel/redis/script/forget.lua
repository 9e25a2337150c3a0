-- Lets a settled record expire now, and marks it.
--
--   KEYS[2]  the record
--   ARGV     fence, how long a marked record is kept, in microseconds, source and detail of the evidence

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local fence, keep = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)

if r.fence ~= fence or r.state ~= COMPLETED and r.state ~= FAILED_RETRYABLE then
    return answer(ANSWER_REFUSED, now, value)
end

local from = r.state
r.state, r.updated, r.till, r.response, r.steps = EXPIRED, now, now, '', ''
r.reason = FORGOTTEN_BY_PERSON
note(r, now, FORGOTTEN, from, ARGV[3], ARGV[4])
write(MEMBER, r, math.ceil((now + keep) / 1000))
return answer(ANSWER_SETTLED, now, string.char(from))
