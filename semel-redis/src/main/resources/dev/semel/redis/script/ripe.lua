-- Reads the times of due entries, so that those of many shards can be taken in their order.
--
--   ARGV  how many at most, then the indexes
--
-- Replies with the times, oldest first.

local now = clock()
local times = {}

for i = 2, #ARGV do
    local entries = redis.call('ZRANGEBYSCORE', ROOT .. ARGV[i], '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
    for j = 2, #entries, 2 do
        times[#times + 1] = tonumber(entries[j])
    end
end
table.sort(times)
for i = 1, #times do
    times[i] = string.format('%.0f', times[i])
end
return times
