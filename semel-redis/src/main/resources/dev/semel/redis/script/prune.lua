-- Deletes settled records past their retention, also those that were marked, or marks them; oldest first.
--
--   ARGV  how many at most, what (delete or mark), how long a marked record is kept, in microseconds
--
-- Replies with how many it has deleted or marked.

local limit, delete, keep = tonumber(ARGV[1]), ARGV[2] == 'delete', tonumber(ARGV[3])
local now = clock()
local pruned = 0

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

local function prune(member, index)
    local r = load_record(member, now)
    if r == nil then
        -- Redis has deleted it when its TTL ended.
        drop(member)
        pruned = pruned + 1
    elseif r and r.state ~= EXPIRED then
        -- The index entry is wrong: put the record into its own index.
        write(member, r)
        drop(member, r.index)
    elseif r and delete then
        redis.call('DEL', record_key(member))
        drop(member)
        pruned = pruned + 1
    elseif r and r.stored == EXPIRED then
        drop(member, r.index)
    elseif r then
        r.updated, r.response, r.steps = now, '', ''
        note(r, now, EXPIRY, r.stored, 'pruning', nil)
        write(member, r, math.ceil((now + keep) / 1000))
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
return pruned
