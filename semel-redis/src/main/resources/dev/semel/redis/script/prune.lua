-- Deletes settled records past their retention, also those that were marked, or marks them; oldest first. A deleted record
-- leaves a tombstone, where they are kept; Redis deletes that when its TTL ends. A marked record is kept as long as a tombstone at
-- least, because Redis deletes it without one.
--
--   ARGV  how many at most, what (delete or mark), how long a marked record is kept, and a tombstone, in microseconds
--
-- Replies with how many it has deleted or marked.

local limit, delete, keep, tombstones = tonumber(ARGV[1]), ARGV[2] == 'delete', tonumber(ARGV[3]), tonumber(ARGV[4])
local now = clock()
local pruned, deleted = 0, false

local function ripe(index)
    return redis.call('ZRANGEBYSCORE', ROOT .. index, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
end

-- Removes a record from the indexes of this script, except the one where it belongs.
local function drop(member, index)
    for _, other in ipairs({ ':expiring', ':marked' }) do
        if other ~= index then
            redis.call('ZREM', ROOT .. other, member)
        end
    end
end

-- Written before the record is deleted.
local function bury(member, r)
    if tombstones > 0 and r.reason ~= FORGOTTEN_BY_PERSON then
        redis.call('SET', tombstone_key(member), struct.pack('>BI8', r.stored, now) .. r.operation,
            'PXAT', math.ceil((now + tombstones) / 1000))
    end
end

local function prune(member, index)
    local r = load_record(member, now)
    if r == nil then
        -- Redis has deleted it when its TTL ended.
        drop(member)
        pruned, deleted = pruned + 1, true
    elseif r and r.state ~= EXPIRED then
        -- The index entry is wrong: put the record into its own index.
        write(member, r)
        drop(member, r.index)
    elseif r and delete then
        bury(member, r)
        redis.call('DEL', record_key(member))
        drop(member)
        pruned, deleted = pruned + 1, true
    elseif r and r.stored == EXPIRED then
        drop(member, r.index)
    elseif r then
        r.updated, r.response, r.steps = now, '', ''
        note(r, now, EXPIRY, r.stored, 'pruning', nil)
        write(member, r, math.ceil((now + math.max(keep, tombstones)) / 1000))
        pruned = pruned + 1
    else
        postpone(ROOT .. index, member, now)
    end
end

local expiring = ripe(':expiring')
local marked = delete and ripe(':marked') or {}
local e, m = 1, 1

-- Both are sorted: the older entry of the two is next.
for _ = 1, limit do
    local x, y = tonumber(expiring[e + 1]), tonumber(marked[m + 1])
    if x and (not y or x <= y) then
        prune(expiring[e], ':expiring')
        e = e + 2
    elseif y then
        prune(marked[m], ':marked')
        m = m + 2
    end
end

-- The last fence is also the highest time at which this shard is known to have deleted records: claim.lua says why.
if deleted and tonumber(redis.call('GET', ROOT) or 0) < now then
    redis.call('SET', ROOT, now)
end
return pruned
