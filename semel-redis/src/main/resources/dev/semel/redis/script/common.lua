-- The start of every script: key names, the format of a record, the time, and the start of a reply.
--
--   KEYS[1]  the root of the shard, such as semel:{17}. It stores the shard's last fence. Every other key of the shard is
--            the root with a suffix, so all are in one slot:
--     :r:SCOPE<tab>KEY  a record; the part after :r: is its member in the indexes
--     :leases           records in progress by the end of their leases, except those that the sweeper offered to the next claim
--     :offered          those, by the end of their leases: only searches read it
--     :unknown          unknown records by name
--     :due:OPERATION    unknown records by the time of their next try, except dead letters
--     :expiring         settled records by the end of their retention
--     :marked           records that are kept for audit after their retention
--     :t:DIGEST         the tombstone of a deleted record: its state, when it was deleted, and its operation
--
--   The last of KEYS is the key of a record with an empty name, which never exists. While a slot moves from one node of a
--   cluster to another, the cluster refuses scripts that declare a missing key: they would see only a part of the shard.
--
-- Times are microseconds since 1970 by this server's clock; 0 means none.

local ROOT = KEYS[1]

-- The number of records: the keys between the first and the last.
local ITEMS = #KEYS - 2

local IN_PROGRESS, COMPLETED, FAILED_RETRYABLE, UNKNOWN, EXPIRED = 1, 2, 3, 4, 5

-- format, state, flags, fence, till, attempts, created, updated, claimed, doubt, since, tries, and the lengths of the texts
-- that follow: operation, fingerprint, holder, reason, evidence's source, evidence's detail, steps, audit, response.
-- till is, depending on the state, the end of the lease, the end of the retention, or the time of the next try.
local HEADER = '>BBBI8I8I4I8I8I8I8I8I4I2I2I2I2I2I4I4I4I4'
local HEADER_BYTES = 93
local FORMAT = 1
local HAS_REASON, HAS_EVIDENCE, REEXECUTABLE = 4, 2, 1

local function clock()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

-- A reply: its code, the time, and a value, mostly a record.
local function answer(code, now, value)
    return struct.pack('>BI8', code, now) .. value
end
