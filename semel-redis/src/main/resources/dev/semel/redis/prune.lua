-- Deletes settled records past their retention, also those that were marked, or marks them; oldest first.
--
--   ARGV  how many at most, what (delete or mark), how long a marked record is kept, in microseconds
--
-- Answers with how many it has deleted or marked.

local limit, delete, keep = tonumber(ARGV[1]), ARGV[2] == 'delete', tonumber(ARGV[3])
local now = clock()
local pruned = 0

local function ripe(index)
    return redis.call('ZRANGEBYSCORE', ROOT .. index, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
end

local function prune(member)
    local value = redis.call('GET', record_key(member))
    if not value then
        -- Redis has forgotten it by itself.
        redis.call('ZREM', ROOT .. ':expiring', member)
        redis.call('ZREM', ROOT .. ':marked', member)
        pruned = pruned + 1
        return
    end
    local r = read(value, now)
    unindex(member, r)
    if r.state ~= EXPIRED then
        -- It is not where the index has it: put it where it belongs.
        redis.call('ZREM', ROOT .. ':expiring', member)
        redis.call('ZREM', ROOT .. ':marked', member)
        write(member, r)
    elseif delete then
        redis.call('DEL', record_key(member))
        pruned = pruned + 1
    else
        local from = r.stored
        r.updated, r.response, r.steps = now, '', ''
        note(r, now, EXPIRY, from, 'pruning', nil)
        write(member, r, math.ceil((now + keep) / 1000))
        pruned = pruned + 1
    end
end

local expiring = ripe(':expiring')
local marked = delete and ripe(':marked') or {}
local e, m = 1, 1

-- Both are in order: the older of the two comes first.
for _ = 1, limit do
    local x, y = tonumber(expiring[e + 1]), tonumber(marked[m + 1])
    if x and (not y or x <= y) then
        prune(expiring[e])
        e = e + 2
    elseif y then
        prune(marked[m])
        m = m + 2
    end
end
return pruned
