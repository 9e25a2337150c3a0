-- Settles an unknown record as completed or as not executed, on evidence.
--
--   KEYS[2]  the record
--   ARGV     fence, state of the outcome, retention in microseconds, response, whether there is a reason
--            (1 or 0), the reason, the source and detail of the evidence, and how long tombstones are kept, in microseconds

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local fence, state, retention = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)

if r.fence ~= fence or r.state ~= UNKNOWN or state == UNKNOWN then
    return answer(ANSWER_REFUSED, now, value)
end

r.state, r.updated, r.till, r.response = state, now, end_of(r, now, retention), ARGV[4]
r.reason = ARGV[5] == '1' and ARGV[6] or nil
r.source, r.detail = ARGV[7], ARGV[8]
r.doubt, r.since, r.tries = 0, 0, 0
if state == COMPLETED then
    r.steps = ''
end
note(r, now, RECONCILED, UNKNOWN, r.source, r.detail)
write(MEMBER, r, settled_until(r.till, tonumber(ARGV[9])))
return answer(ANSWER_SETTLED, now, string.char(UNKNOWN))
