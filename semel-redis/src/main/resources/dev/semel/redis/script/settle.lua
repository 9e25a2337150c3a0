-- Settles one record or several, each for its lease holder; a late answer to an unknown record is its own evidence.
--
--   KEYS[2...]  a record for each
--   ARGV        for each: fence, state of the outcome, retention in microseconds, response, whether there is a reason
--               (1 or 0), the reason, the source and detail of a late answer's evidence, and how long tombstones are kept,
--               in microseconds

local ANSWER_SETTLED, ANSWER_REFUSED, ANSWER_ABSENT = 1, 2, 3
local ARGUMENTS = 9

local now = clock()

local function settle(key, fence, state, retention, response, has_reason, reason, source, detail, tombstones)
    local value = redis.call('GET', key)

    if not value then
        return answer(ANSWER_ABSENT, now, '')
    end

    local r = read(value, now)
    local late = r.state == UNKNOWN and state == COMPLETED

    if r.fence ~= fence or not (r.state == IN_PROGRESS or late) then
        return answer(ANSWER_REFUSED, now, value)
    end

    local from = r.state
    r.state, r.updated, r.response = state, now, response
    r.reason = has_reason and reason or nil
    r.source, r.detail = nil, nil
    if late then
        r.source, r.detail = source, detail
    end
    if state == UNKNOWN then
        r.till, r.since, r.tries = now, now, 0
    else
        r.till, r.since, r.tries = end_of(r, now, retention), 0, 0
    end
    if state == COMPLETED then
        r.steps = ''
    end
    note(r, now, SETTLED, from, '', r.reason)
    write(member_of(key), r, state ~= UNKNOWN and settled_until(r.till, tombstones) or nil)
    return answer(ANSWER_SETTLED, now, string.char(from))
end

local answers = {}
for item = 1, ITEMS do
    local at = (item - 1) * ARGUMENTS
    answers[item] = attempt(now, settle, KEYS[item + 1], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]),
        tonumber(ARGV[at + 3]), ARGV[at + 4], ARGV[at + 5] == '1', ARGV[at + 6], ARGV[at + 7], ARGV[at + 8],
        tonumber(ARGV[at + 9]))
end
return answers
