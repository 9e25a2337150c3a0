-- Adds an entry to the audit of a record that changes nothing else.
--
--   KEYS[2]  the record
--   ARGV     fence, change (viewed, proposed or replay_refused), source and detail of the evidence

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3

local CHANGES = { viewed = VIEWED, proposed = PROPOSED, replay_refused = REPLAY_REFUSED }

local fence, change = tonumber(ARGV[1]), CHANGES[ARGV[2]]
local now = clock()
local value = redis.call('GET', KEYS[2])

if not value then
    return answer(ANSWER_ABSENT, now, '')
end

local r = read(value, now)

local allowed = r.state == COMPLETED and change ~= PROPOSED or r.state == UNKNOWN and change ~= REPLAY_REFUSED

if r.fence ~= fence or not allowed then
    return answer(ANSWER_REFUSED, now, value)
end

note(r, now, change, r.state, ARGV[3], ARGV[4])
write(MEMBER, r)
return answer(ANSWER_SETTLED, now, string.char(r.state))
