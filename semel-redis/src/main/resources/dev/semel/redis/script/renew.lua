-- Renews a lease from now, while the record is in progress under its fence.
--
--   KEYS[2]  the record
--   ARGV     fence, lease in microseconds

local fence, lease = tonumber(ARGV[1]), tonumber(ARGV[2])
local value = redis.call('GET', KEYS[2])

if not value then
    return 0
end

local now = clock()
local r = read(value, now)

if r.fence ~= fence or r.state ~= IN_PROGRESS then
    return 0
end

r.updated, r.till, r.reason = now, now + lease, nil
write(MEMBER, r)
return 1
