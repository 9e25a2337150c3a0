-- Looks whether a key of the shard ends when it should, and whether a record is in the indexes where others look for it.
-- What it mends keeps its record as it is, and lets nothing end sooner than before.
--
--   KEYS[2]  a record, an index, or the root itself
--   ARGV     whether to mend what is wrong (1 or 0), how long a marked record is kept, in microseconds
--
-- Answers with what is wrong, one word each.

local KEY, MEND, KEEP_MILLIS = KEYS[2], ARGV[1] == '1', math.ceil(tonumber(ARGV[2]) / 1000)
local NEVER, GONE = -1, -2

local now = clock()
local now_millis = math.ceil(now / 1000)
local ends_at = redis.call('PEXPIRETIME', KEY)
local wrong = {}

if ends_at == GONE then
    return wrong
end

-- Settled records end, so their indexes do; those of open records, and the last fence, must not.
local function inspect_index(name)
    local ending = name == ':expiring' or name == ':marked'
    local lasting = name == '' or name == ':leases' or name == ':unknown' or name:sub(1, #':due:') == ':due:'
    if ending and ends_at == NEVER then
        wrong[1] = 'has-no-end'
        if MEND then
            local last = redis.call('ZRANGE', KEY, -1, -1, 'WITHSCORES')
            local latest = math.max(math.ceil(last[2] / 1000), now_millis) + LINGER_MILLIS
            redis.call('PEXPIREAT', KEY, math.max(latest, now_millis + KEEP_MILLIS))
        end
    elseif lasting and ends_at ~= NEVER then
        wrong[1] = 'ends-but-is-open'
        if MEND then
            redis.call('PERSIST', KEY)
        end
    end
    return wrong
end

-- A record that reads back as the very same bytes, or nothing: one that is damaged is left for a person to look at.
local function intact(value)
    local readable, r = pcall(read, value, now)
    if not readable then
        return nil
    end
    r.state = r.stored
    local packed, same = pcall(pack, r)
    return packed and same == value and r.state >= IN_PROGRESS and r.state <= EXPIRED and r or nil
end

local function is_in(index, score)
    return tonumber(redis.call('ZSCORE', ROOT .. index, MEMBER) or nil) == score
end

if KEY:sub(1, #ROOT + #':r:') ~= ROOT .. ':r:' then
    return inspect_index(KEY:sub(#ROOT + 1))
end

local value = redis.call('TYPE', KEY).ok == 'string' and redis.call('GET', KEY)
local r = value and intact(value)
if not r then
    return { 'unreadable' }
end

local open = r.state == IN_PROGRESS or r.state == UNKNOWN
local index = index_of(r.state, r)
-- A marked record does not say when it was marked: whatever end it has is right.
local due_end = r.state == EXPIRED and 0 or math.ceil(r.till / 1000) + LINGER_MILLIS

if open and ends_at ~= NEVER then
    wrong[#wrong + 1] = 'ends-but-is-open'
elseif not open and ends_at == NEVER then
    wrong[#wrong + 1] = 'has-no-end'
elseif not open and ends_at < due_end then
    wrong[#wrong + 1] = 'ends-too-soon'
end
if index and not is_in(index, r.state == UNKNOWN and 0 or r.till) then
    wrong[#wrong + 1] = 'not-in-its-index'
end
if r.state == UNKNOWN and r.till > 0 and not is_in(':due:' .. r.operation, r.till) then
    wrong[#wrong + 1] = 'nobody-would-ask'
end

if MEND and #wrong > 0 then
    if ends_at == NEVER then
        -- Past its time it still gets what others have, so that pruning can mark it.
        ends_at = math.max(due_end, now_millis + (r.state == EXPIRED and KEEP_MILLIS or LINGER_MILLIS))
    end
    write(MEMBER, r, math.max(ends_at, due_end))
end
return wrong
