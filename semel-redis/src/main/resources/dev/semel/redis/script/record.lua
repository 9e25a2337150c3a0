-- Reading, changing and writing a record.

-- A record's name in the indexes, from its key.
local function member_of(key)
    return key:sub(#ROOT + #':r:' + 1)
end

-- Verbs on one record have its key as the second.
local MEMBER = KEYS[2] and member_of(KEYS[2])

local ANSWER_FAILED = 0

local GRANTED, TAKEN_OVER, STEP, SETTLED, GIVEN_UP, REOFFERED = 1, 2, 3, 4, 5, 6
local RECONCILED, RESCHEDULED, DEAD_LETTERED, REQUEUED, EXPIRY = 7, 8, 9, 10, 11
local VIEWED, PROPOSED, FORGOTTEN, REPLAY_REFUSED = 12, 13, 14, 15

local DAMAGED = 'this record is damaged: another program has written to its key; semel repair lists such records'

local LEASE_EXPIRED = 'in_progress_lock_expired'

-- The reason of a record that a person has let expire: it leaves no tombstone, and its key may be used again.
local FORGOTTEN_BY_PERSON = 'forgotten'

-- Redis deletes a settled record this long after its retention: time for pruning to mark it for audit instead.
local LINGER_MILLIS = 10 * 60 * 1000

-- The interval at which a record that cannot be read is tried again.
local UNREADABLE_MICROS = 60 * 1000000

-- An index is kept this much longer than needed, so that its TTL is extended once in that time and not with every record.
local INDEX_LINGER_MILLIS = 60 * 60 * 1000

-- The TTL of a settled record. Where tombstones are kept, Redis keeps the whole record for as long, should pruning not come to
-- replace it by its tombstone.
local function settled_until(till, tombstones)
    return math.ceil((till + tombstones) / 1000) + LINGER_MILLIS
end

-- The end of a retention. A clock that was set back since the claim does not end it before the key is late.
local function end_of(r, now, retention)
    return math.max(now, r.created) + retention
end

local function tombstone_key(member)
    local digest = redis.sha1hex(member):sub(1, 32):gsub('%x%x', function(hex)
        return string.char(tonumber(hex, 16))
    end)
    return ROOT .. ':t:' .. digest
end

local function record_key(member)
    return ROOT .. ':r:' .. member
end

-- The index of a record in this stored state.
local function index_of(state, r)
    if state == IN_PROGRESS then
        -- With a reason, the sweeper has offered it to the next claim.
        return r.reason and r.reexecutable and ':offered' or ':leases'
    elseif state == UNKNOWN then
        return ':unknown'
    elseif state == EXPIRED then
        return ':marked'
    end
    return ':expiring'
end

-- The index of a record by the time of its next try.
local function due_of(state, r)
    return state == UNKNOWN and r.till > 0 and ':due:' .. r.operation or nil
end

local sub = string.sub

-- A record as it reads now: settled and past its retention means expired.
local function read(value, now)
    if #value < HEADER_BYTES then
        error(DAMAGED)
    end
    local format, state, flags, fence, till, attempts, created, updated, claimed, doubt, since, tries,
        op, fp, ho, re, so, de, st, au, rs, at = struct.unpack(HEADER, value)
    if format ~= FORMAT then
        error('this record has the format ' .. format .. ', but this release reads only format ' .. FORMAT
            .. ': use a newer release of Semel')
    end
    if at + op + fp + ho + re + so + de + st + au + rs - 1 ~= #value or state < IN_PROGRESS or state > EXPIRED then
        error(DAMAGED)
    end

    -- The position after each text.
    op = at + op
    fp = op + fp
    ho = fp + ho
    re = ho + re
    so = re + so
    de = so + de
    st = de + st
    au = st + au
    local r = {
        state = state, fence = fence, till = till, attempts = attempts, created = created, updated = updated,
        claimed = claimed, doubt = doubt, since = since, tries = tries, reexecutable = flags % 2 == 1,
        operation = sub(value, at, op - 1), fingerprint = sub(value, op, fp - 1), holder = sub(value, fp, ho - 1),
        reason = flags >= HAS_REASON and sub(value, ho, re - 1) or nil, source = nil, detail = nil,
        steps = sub(value, de, st - 1), audit = sub(value, st, au - 1), response = sub(value, au)
    }
    if flags % HAS_REASON >= HAS_EVIDENCE then
        r.source, r.detail = sub(value, re, so - 1), sub(value, so, de - 1)
    end
    r.stored, r.index, r.due = state, index_of(state, r), due_of(state, r)
    if r.till <= now and (r.state == COMPLETED or r.state == FAILED_RETRYABLE) then
        r.state = EXPIRED
    end
    return r
end

local function pack(r)
    local reason, source, detail = r.reason or '', r.source or '', r.detail or ''
    local flags = (r.reexecutable and REEXECUTABLE or 0)
        + (r.source and HAS_EVIDENCE or 0)
        + (r.reason and HAS_REASON or 0)
    return struct.pack(HEADER, FORMAT, r.state, flags, r.fence, r.till, r.attempts, r.created, r.updated, r.claimed,
        r.doubt, r.since, r.tries, #r.operation, #r.fingerprint, #r.holder, #reason, #source, #detail, #r.steps,
        #r.audit, #r.response)
        .. r.operation .. r.fingerprint .. r.holder .. reason .. source .. detail .. r.steps .. r.audit .. r.response
end

-- Adds an entry to the audit. An empty name means the lease holder, whose name is in the entry of the grant.
local function note(r, now, change, from, who, why)
    r.audit = r.audit
        .. struct.pack('>I8BI8BBI2I4', now, change, r.fence, from, r.state, #who, why and #why + 1 or 0)
        .. who
        .. (why or '')
end

-- Extends the TTL of an index of settled records beyond that of its last record.
local function outlive(index, millis)
    if redis.call('PEXPIRETIME', index) < millis then
        redis.call('PEXPIREAT', index, millis + INDEX_LINGER_MILLIS)
    end
end

-- Writes a changed record: first adds it to its new indexes, then writes it, then removes it from its old indexes. If Redis
-- refuses a command within the script (a key of another type, a slot that is being moved), an index has an entry too many,
-- which the next script that reads it removes, and never one too few. Open records get no TTL. Returns the written bytes.
local function write(member, r, keep_millis)
    local state, value = r.state, pack(r)
    local index, due = index_of(state, r), due_of(state, r)
    if state == IN_PROGRESS or state == UNKNOWN then
        if index then
            redis.call('ZADD', ROOT .. index, state == UNKNOWN and 0 or r.till, member)
        end
        if due then
            redis.call('ZADD', ROOT .. due, r.till, member)
        end
        redis.call('SET', record_key(member), value)
    else
        local millis = keep_millis or settled_until(r.till, 0)
        if not keep_millis and (r.stored == COMPLETED or r.stored == FAILED_RETRYABLE) then
            millis = math.max(millis, redis.call('PEXPIRETIME', record_key(member)))
        end
        redis.call('ZADD', ROOT .. index, r.till, member)
        outlive(ROOT .. index, millis)
        redis.call('SET', record_key(member), value, 'PXAT', millis)
    end
    if r.index and r.index ~= index then
        redis.call('ZREM', ROOT .. r.index, member)
    end
    if r.due and r.due ~= due then
        redis.call('ZREM', ROOT .. r.due, member)
    end
    return value
end

-- Returns the record of an index entry, and its bytes: nil where there is none, false where it is damaged or from a newer
-- release.
local function load_record(member, now)
    local value = redis.pcall('GET', record_key(member))
    if not value then
        return nil
    end
    local readable, r = pcall(read, value, now)
    return readable and r, value
end

-- Moves the index entry of a record that cannot be read to a later time, so that it stays but does not delay other records.
local function postpone(index, member, now)
    redis.call('ZADD', index, now + UNREADABLE_MICROS, member)
end

-- Turns a record unknown: its lease has expired.
local function give_up(r, now, who)
    local from = r.state
    r.state, r.updated, r.till, r.since, r.tries, r.reason = UNKNOWN, now, now, now, 0, LEASE_EXPIRED
    r.source, r.detail = nil, nil
    note(r, now, GIVEN_UP, from, who, LEASE_EXPIRED)
end

-- Runs a verb on one record of several. A failure, such as that of a damaged record, must not fail the others, which may
-- have been written already.
local function attempt(now, verb, ...)
    local done, result = pcall(verb, ...)
    if done then
        return result
    end
    return answer(ANSWER_FAILED, now, type(result) == 'table' and result.err or tostring(result))
end
