-- Adds an entry to the audit of a record that changes nothing else.
--
--   KEYS[2]  the record
--   ARGV     fence, change (viewed or proposed), source and detail of the evidence

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local fence, proposed = tonumber(ARGV[1]), ARGV[2] == 'proposed'
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)

if r.fence ~= fence or r.state ~= (proposed and UNKNOWN or COMPLETED) then
    return answer(ANSWER_REFUSED, now, value)
end

note(r, now, proposed and PROPOSED or VIEWED, r.state, ARGV[3], ARGV[4])
write(MEMBER, r)
return answer(ANSWER_SETTLED, now, string.char(r.state))
