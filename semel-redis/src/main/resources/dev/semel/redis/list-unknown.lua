-- Lists unknown records in the order of their names.
--
--   ARGV  how many at most, member after which to begin (empty: with the first), operation (empty: all), whether
--         dead-lettered (1 or 0, empty: both), how many to look at before this script gives way to others
--
-- Answers with the time; the member to go on after, or an empty text at the end; then member and record of each.

local limit, after, operation, dead, patience = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local now = clock()
local listed = { answer(0, now, ''), '' }
local from = after == '' and '-' or '(' .. after
local members = redis.call('ZRANGEBYLEX', ROOT .. ':unknown', from, '+', 'LIMIT', 0, patience)

for _, member in ipairs(members) do
    local r, value = look(member, now)
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
if #members == patience then
    listed[2] = members[patience]
end
return listed
