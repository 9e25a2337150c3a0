-- What every verb begins with: where things are, what a record looks like, what time it is, and how an answer begins.
--
--   KEYS[1]  the root of the shard, such as semel:{17}. It holds the shard's last fence. Every other key of the shard is
--            this one with something behind it, so all are in one slot:
--     :r:SCOPE<tab>KEY  a record; the part behind :r: is its member in the indexes
--     :leases           attempts by the end of their leases, apart from those that the sweeper has noticed
--     :unknown          unknown records by name
--     :due:OPERATION    unknown records by when to ask again, apart from dead letters
--     :expiring         settled records by the end of their retention
--     :marked           records that are kept for audit after their retention
--
--   The last of KEYS is the key of a record without a name, which never exists: while a slot is on its way from one node of
--   a cluster to another, no script runs on it that names a missing key. It would find a part of the shard only.
--
-- Times are microseconds since 1970 by this server's clock. 0 stands for none.

local ROOT = KEYS[1]

-- How many records there are between the first key and the last.
local ITEMS = #KEYS - 2

local IN_PROGRESS, COMPLETED, FAILED_RETRYABLE, UNKNOWN, EXPIRED = 1, 2, 3, 4, 5

-- format, state, flags, fence, until, attempts, created, updated, claimed, doubt, since, tries, and how long the texts are
-- that follow: operation, fingerprint, holder, reason, evidence's source, evidence's detail, steps, audit, response.
-- until is when the lease ends, when the retention ends, or when to ask again: it depends on the state.
local HEADER = '>BBBI8I8I4I8I8I8I8I8I4I2I2I2I2I2I4I4I4I4'
local HEADER_BYTES = 93
local FORMAT = 1
local HAS_REASON, HAS_EVIDENCE, REEXECUTABLE = 4, 2, 1

local function clock()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

-- How an answer begins, and a record in it: when it was looked at, and what it is.
local function answer(code, now, value)
    return struct.pack('>BI8', code, now) .. value
end
