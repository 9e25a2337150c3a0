-- Ends the attempt that holds a lease; the late answer of an attempt that was given up is its own evidence.
--
--   KEYS[2]  the record
--   ARGV     fence, state that the outcome leads to, retention in microseconds, response, whether there is a reason
--            (1 or 0), the reason, and the source and detail of a late answer's evidence

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local fence, state, retention = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)
local late = r.state == UNKNOWN and state == COMPLETED

if r.fence ~= fence or not (r.state == IN_PROGRESS or late) then
    return answer(ANSWER_REFUSED, now, value)
end

local from = r.state
r.state, r.updated, r.response = state, now, ARGV[4]
r.reason = ARGV[5] == '1' and ARGV[6] or nil
r.source, r.detail = nil, nil
if late then
    r.source, r.detail = ARGV[7], ARGV[8]
end
if state == UNKNOWN then
    r.till, r.since, r.tries = now, now, 0
else
    r.till, r.since, r.tries = now + retention, 0, 0
end
if state == COMPLETED then
    r.steps = ''
end
note(r, now, SETTLED, from, '', r.reason)
write(MEMBER, r)
return answer(ANSWER_SETTLED, now, string.char(from))
