-- Inspects the TTL of a key, and whether a record is in its indexes. A repair changes no record, and shortens no TTL.
--
--   KEYS[2]  a record, an index, or the root itself
--   ARGV     whether to repair defects (1 or 0), how long a marked record is kept, and a tombstone, in microseconds
--
-- Replies with the codes of the defects.

local KEY, REPAIR, KEEP_MILLIS = KEYS[2], ARGV[1] == '1', math.ceil(tonumber(ARGV[2]) / 1000)
local TOMBSTONE_MILLIS = math.ceil(tonumber(ARGV[3]) / 1000)
local NEVER, GONE = -1, -2

local now = clock()
local now_millis = math.ceil(now / 1000)
local ends_at = redis.call('PEXPIRETIME', KEY)
local defects = {}

if ends_at == GONE then
    return defects
end

-- The indexes of settled records have a TTL; those of open records, and the last fence, have none.
local function inspect_index(name)
    local expiring = name == ':expiring' or name == ':marked'
    local permanent = name == '' or name == ':leases' or name == ':offered' or name == ':unknown' or name:sub(1, #':due:') == ':due:'
    if expiring and ends_at == NEVER then
        defects[1] = 'settled-without-ttl'
        if REPAIR then
            local last = redis.call('ZRANGE', KEY, -1, -1, 'WITHSCORES')
            local latest = math.max(math.ceil(last[2] / 1000), now_millis) + LINGER_MILLIS
            redis.call('PEXPIREAT', KEY, math.max(latest, now_millis + KEEP_MILLIS))
        end
    elseif permanent and ends_at ~= NEVER then
        defects[1] = 'open-with-ttl'
        if REPAIR then
            redis.call('PERSIST', KEY)
        end
    end
    return defects
end

-- Returns a record that packs to the same bytes again; nil for a damaged one, which a person has to examine.
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
-- A marked record does not contain the time when it was marked: any TTL is right.
local due_end = r.state == EXPIRED and 0 or math.ceil(r.till / 1000) + LINGER_MILLIS

if open and ends_at ~= NEVER then
    defects[#defects + 1] = 'open-with-ttl'
elseif not open and ends_at == NEVER then
    defects[#defects + 1] = 'settled-without-ttl'
elseif not open and ends_at < due_end then
    defects[#defects + 1] = 'ttl-too-short'
end
if index and not is_in(index, r.state == UNKNOWN and 0 or r.till) then
    defects[#defects + 1] = 'missing-from-index'
end
if r.state == UNKNOWN and r.till > 0 and not is_in(':due:' .. r.operation, r.till) then
    defects[#defects + 1] = 'missing-from-due-index'
end

if REPAIR and #defects > 0 then
    if ends_at == NEVER then
        -- Also past its retention it gets the usual time, so that pruning can mark it or leave its tombstone.
        ends_at = math.max(due_end, now_millis + (r.state == EXPIRED and KEEP_MILLIS or LINGER_MILLIS)) + TOMBSTONE_MILLIS
    end
    write(MEMBER, r, math.max(ends_at, due_end))
end
return defects
