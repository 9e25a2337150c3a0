-- Claims one record or several. Writes only if a claim is granted or an expired lease turns the record unknown. Replays that
-- come before the first other claim were answered in replay.lua.
--
--   KEYS[2...]  a record for each claim
--   ARGV        for each claim: operation, fingerprint, holder, lease in microseconds, whether re-executable (1 or 0), the first
--               moment at which the key may be used and the end of that time (0 and 0 for any time), whether an expired
--               record refuses it (1 or 0), and how long tombstones are kept, in microseconds (0 where they do not count)

-- The fences that this script has reserved and not used.
local next_fence, last_fence = 1, 0

-- Reserves one fence for each remaining claim, higher than any before in this shard, and than the time. So fences rise also
-- after a failover to a replica that lacks the last one.
local function reserve_fences(above)
    local more = ITEMS - item
    local first = math.max(above + 1, next_fence, now)
    local before = tonumber(redis.call('SET', ROOT, first + more, 'GET') or 0)
    if before >= first then
        first = before + 1
        redis.call('SET', ROOT, first + more)
    end
    next_fence, last_fence = first, first + more
end

local function fence_above(above)
    if next_fence > last_fence or next_fence <= above then
        reserve_fences(above)
    end
    next_fence = next_fence + 1
    return next_fence - 1
end

-- The holder as it is in the audit: up to the line feed before the outline of its request.
local function without_outline(holder)
    return string.match(holder, '^[^\n]*')
end

local function grant(member, r, c, change)
    local from = r.state
    r.fence = fence_above(r.fence)
    r.state, r.operation, r.fingerprint, r.holder = IN_PROGRESS, c.operation, c.fingerprint, c.holder
    r.reexecutable, r.updated, r.claimed, r.till = c.reexecutable, now, now, now + c.lease
    r.response, r.reason, r.source, r.detail, r.since, r.tries = '', nil, nil, nil, 0, 0
    note(r, now, change, from, without_outline(c.holder), nil)
    return answer(ANSWER_GRANTED, now, write(member, r))
end

local function grant_new(member, r, c)
    r.attempts, r.created, r.doubt, r.steps = 1, now, 0, ''
    return grant(member, r, c, GRANTED)
end

local function grant_again(member, r, c)
    local change = GRANTED
    r.attempts = r.attempts + 1
    if r.state == IN_PROGRESS then
        -- The last attempt did not end, and may have begun its next step.
        change = TAKEN_OVER
        r.doubt = r.doubt > 0 and r.doubt or r.claimed
    end
    return grant(member, r, c, change)
end

local function become_unknown(member, r, c)
    give_up(r, now, without_outline(c.holder))
    return answer(ANSWER_GIVEN_UP, now, write(member, r))
end

-- The answer to a key that may not be used now; nil if it may. The time of a deletion counts as well as the clock, which may have
-- been set back since: the time of the last fence, for a record that is gone.
local function refuse(c, past)
    if c.end_at > 0 and math.max(now, past) >= c.end_at then
        return answer(ANSWER_TOO_LATE, now, '')
    end
    if now < c.first_at then
        return answer(ANSWER_TOO_EARLY, now, '')
    end
end

local function has_tombstone(member, c)
    local value = c.tombstones > 0 and redis.call('GET', tombstone_key(member))
    if not value then
        return false
    end
    local _, deleted_at = struct.unpack('>BI8', value)
    return deleted_at + c.tombstones > now
end

local function refuse_absent(member, c)
    if has_tombstone(member, c) then
        return answer(ANSWER_TOO_LATE, now, '')
    end
    return c.end_at > 0 and refuse(c, tonumber(redis.call('GET', ROOT) or 0)) or nil
end

local function refuse_expired(r, c)
    if c.refuses_expired and r.reason ~= FORGOTTEN_BY_PERSON then
        return answer(ANSWER_TOO_LATE, now, '')
    end
    return refuse(c, r.till)
end

local function claim(key, c)
    local member, value = member_of(key), redis.call('GET', key)
    if not value then
        local refused = refuse_absent(member, c)
        if refused then
            return refused
        end
        return grant_new(member, {
            state = 0, fence = 0, till = 0, attempts = 0, created = 0, updated = 0, claimed = 0, doubt = 0, since = 0,
            tries = 0, reexecutable = false, operation = '', fingerprint = '', holder = '', steps = '', audit = '',
            response = ''
        }, c)
    end
    if replays(value, c.fingerprint) then
        return answer(ANSWER_RECORDED, now, value)
    end

    local r = read(value, now)

    if r.state == EXPIRED then
        return refuse_expired(r, c) or grant_new(member, r, c)
    end
    if r.fingerprint ~= c.fingerprint then
        return answer(ANSWER_MISMATCH, now, value)
    end
    if r.state == UNKNOWN then
        return answer(ANSWER_UNKNOWN, now, value)
    end
    if r.state == FAILED_RETRYABLE then
        if r.doubt > 0 and not c.reexecutable then
            -- The last attempt had no effect, but an earlier one did not end and may have had one.
            return become_unknown(member, r, c)
        end
        return grant_again(member, r, c)
    end
    if r.till > now then
        -- The same holder claimed before, and the reply was lost.
        return answer(r.holder == c.holder and ANSWER_GRANTED or ANSWER_BUSY, now, value)
    end
    if r.reexecutable and c.reexecutable then
        return grant_again(member, r, c)
    end
    return become_unknown(member, r, c)
end

while item < ITEMS do
    local at = item * ARGUMENTS
    item = item + 1
    answers[item] = attempt(now, claim, KEYS[item + 1], {
        operation = ARGV[at + 1], fingerprint = ARGV[at + 2], holder = ARGV[at + 3], lease = tonumber(ARGV[at + 4]),
        reexecutable = ARGV[at + 5] == '1', first_at = tonumber(ARGV[at + 6]), end_at = tonumber(ARGV[at + 7]),
        refuses_expired = ARGV[at + 8] == '1', tombstones = tonumber(ARGV[at + 9])
    })
end
return answers
