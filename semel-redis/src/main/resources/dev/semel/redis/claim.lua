-- Asks for the right to execute. Changes nothing unless it is granted, or the lease before it has expired. What is completed
-- under the same fingerprint was answered before this, in replay.lua, which has also looked at the time and the record.
--
--   KEYS[2]  the record
--   ARGV     operation, fingerprint, holder, lease in microseconds, whether re-executable (1 or 0)

local operation, fingerprint, holder = ARGV[1], ARGV[2], ARGV[3]
local lease, reexecutable = tonumber(ARGV[4]), ARGV[5] == '1'

-- The next fence: higher than any before in this shard, and than the time. So it rises also where the last one was lost,
-- with a replica that had not heard of it.
local function next_fence(above)
    local fence = math.max(above + 1, now)
    local last = tonumber(redis.call('SET', ROOT, fence, 'GET') or 0)
    if last >= fence then
        fence = last + 1
        redis.call('SET', ROOT, fence)
    end
    return fence
end

local function grant(r, change)
    local from = r.state
    r.fence = next_fence(r.fence)
    r.state, r.operation, r.fingerprint, r.holder = IN_PROGRESS, operation, fingerprint, holder
    r.reexecutable, r.updated, r.claimed, r.till = reexecutable, now, now, now + lease
    r.response, r.reason, r.source, r.detail, r.since, r.tries = '', nil, nil, nil, 0, 0
    note(r, now, change, from, holder, nil)
    return answer(ANSWER_GRANTED, now, write(MEMBER, r))
end

local function grant_new(r)
    r.attempts, r.created, r.doubt, r.steps = 1, now, 0, ''
    return grant(r, GRANTED)
end

local function grant_again(r)
    local change = GRANTED
    r.attempts = r.attempts + 1
    if r.state == IN_PROGRESS then
        -- The attempt before has vanished, and may have begun its next step.
        change = TAKEN_OVER
        r.doubt = r.doubt > 0 and r.doubt or r.claimed
    end
    return grant(r, change)
end

local function become_unknown(r)
    give_up(r, now, holder)
    return answer(ANSWER_UNKNOWN, now, write(MEMBER, r))
end

if not value then
    return grant_new({
        state = 0, fence = 0, till = 0, attempts = 0, created = 0, updated = 0, claimed = 0, doubt = 0, since = 0,
        tries = 0, reexecutable = false, operation = '', fingerprint = '', holder = '', steps = '', audit = '', response = ''
    })
end

local r = read(value, now)

if r.state == EXPIRED then
    return grant_new(r)
end
if r.fingerprint ~= fingerprint then
    return answer(ANSWER_MISMATCH, now, value)
end
if r.state == UNKNOWN then
    return answer(ANSWER_UNKNOWN, now, value)
end
if r.state == FAILED_RETRYABLE then
    if r.doubt > 0 and not reexecutable then
        -- The last attempt had no effect, but one that vanished before it may have.
        return become_unknown(r)
    end
    return grant_again(r)
end
if r.till > now then
    -- The same holder has asked before, and the answer got lost.
    return answer(r.holder == holder and ANSWER_GRANTED or ANSWER_BUSY, now, value)
end
if r.reexecutable and reexecutable then
    return grant_again(r)
end
return become_unknown(r)
