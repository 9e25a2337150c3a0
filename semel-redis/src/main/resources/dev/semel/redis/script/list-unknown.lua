-- Lists unknown records in the order of their names.
--
--   ARGV  how many at most, member to start after (empty: with the first), operation (empty: all), whether dead-lettered
--         (1 or 0, empty: both), how many records to read at most
--
-- Replies with the time; the member after which the next page starts, empty on the last page; then member and record of each.

local limit, after, operation, dead, max_read = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local now = clock()
local listed = { answer(0, now, ''), '' }
local from = after == '' and '-' or '(' .. after
local members = redis.call('ZRANGEBYLEX', ROOT .. ':unknown', from, '+', 'LIMIT', 0, max_read)

for _, member in ipairs(members) do
    local r, value = load_record(member, now)
    if r == nil or r and r.state ~= UNKNOWN then
        redis.call('ZREM', ROOT .. ':unknown', member)
    elseif r and (operation == '' or r.operation == operation) and (dead == '' or (dead == '1') == (r.till == 0)) then
        listed[#listed + 1] = member
        listed[#listed + 1] = value
        if #listed - 2 >= 2 * limit then
            return listed
        end
    end
end
if #members == max_read then
    listed[2] = members[max_read]
end
return listed
