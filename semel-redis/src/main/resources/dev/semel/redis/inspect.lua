-- Looks whether a record ends when it should, and whether it is in the indexes where others look for it.
--
--   KEYS[2]  the record
--   ARGV     whether to mend what is wrong (1 or 0), how long a marked record is kept, in microseconds
--
-- Answers with what is wrong, one word each.

local value = redis.call('GET', KEYS[2])
if not value then
    return {}
end

local now = clock()
local r = read(value, now)
local wrong = {}
local ends = redis.call('PTTL', KEYS[2]) >= 0
local open = r.stored == IN_PROGRESS or r.stored == UNKNOWN
local index = index_of(r.stored, r)

if open and ends then
    wrong[#wrong + 1] = 'ends-but-is-open'
elseif not open and not ends then
    wrong[#wrong + 1] = 'has-no-end'
end
if index and not redis.call('ZSCORE', ROOT .. index, MEMBER) then
    wrong[#wrong + 1] = 'not-in-its-index'
end
if r.stored == UNKNOWN and r.till > 0 and not redis.call('ZSCORE', ROOT .. ':due:' .. r.operation, MEMBER) then
    wrong[#wrong + 1] = 'nobody-would-ask'
end
if #wrong > 0 and ARGV[1] == '1' then
    local keep = r.stored == EXPIRED and math.ceil((now + tonumber(ARGV[2])) / 1000) or nil
    r.state = r.stored
    write(MEMBER, r, keep)
end
return wrong
