-- Appends a finished step to a record in progress under this fence, which ends the doubt about it.
--
--   KEYS[2]  the record
--   ARGV     fence, name of the step, the encoded step

local fence = tonumber(ARGV[1])
local value = redis.call('GET', KEYS[2])

if not value then
    return 0
end

local now = clock()
local r = read(value, now)

if r.fence ~= fence or r.state ~= IN_PROGRESS then
    return 0
end

r.updated, r.doubt, r.steps = now, 0, r.steps .. ARGV[3]
note(r, now, STEP, IN_PROGRESS, '', ARGV[2])
write(MEMBER, r)
return 1
