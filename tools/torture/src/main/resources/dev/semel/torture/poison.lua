-- Spoils what stands in front of a store: garbage, other keys' values, values of another type, values from earlier, and
-- values that should have ended.
--
--   ARGV  seed, how many keys

-- Where values are kept to be put back later.
local KEPT = 'kept:'

math.randomseed(tonumber(ARGV[1]))

local function target()
    local key = redis.call('RANDOMKEY')
    return key and key:sub(1, #KEPT) ~= KEPT and key or nil
end

local POISONS = {
    function(key) redis.call('SET', key, 'garbage', 'KEEPTTL') end,
    function(key) redis.call('SET', key, string.rep('x', 100000)) end,
    function(key) redis.call('PERSIST', key) end,
    function(key) redis.call('DEL', key) end,
    function(key)
        redis.call('DEL', key)
        redis.call('LPUSH', key, 'garbage')
    end,
    function(key)
        if redis.call('TYPE', key).ok == 'string' then
            redis.call('SETRANGE', key, math.random(0, redis.call('STRLEN', key)), string.char(math.random(0, 255)))
        end
    end,
    function(key)
        local other = target()
        if other and other ~= key then
            redis.call('COPY', other, key, 'REPLACE')
        end
    end,
    function(key)
        redis.call('COPY', key, KEPT .. key)
        redis.call('PERSIST', KEPT .. key)
    end,
    function(key)
        if redis.call('EXISTS', KEPT .. key) == 1 then
            redis.call('COPY', KEPT .. key, key, 'REPLACE')
        end
    end,
}

for _ = 1, tonumber(ARGV[2]) do
    local key = target()
    if key then
        POISONS[math.random(#POISONS)](key)
    end
end

-- What has ended in the meantime comes back as well.
for _, kept in ipairs(redis.call('KEYS', KEPT .. '*')) do
    if math.random(3) == 1 then
        redis.call('COPY', kept, kept:sub(#KEPT + 1), 'REPLACE')
    end
end
return 0
