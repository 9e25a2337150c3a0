-- Reads the records of an index, from its end, without steps, audit and response.
--
--   ARGV  the index, how many entries to skip, how many to read at most
--
-- Replies with the time, how many entries it has read, then member and record of each.

local index, skip, most = ROOT .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local now = clock()
local members = redis.call('ZREVRANGE', index, skip, skip + most - 1)
local found = { answer(0, now, ''), tostring(#members) }

for _, member in ipairs(members) do
    local r = load_record(member, now)
    if ARGV[1] == ':offered' and (r == nil or r and r.index ~= ':offered') then
        -- No other script reads this index, so that an entry that is left over is removed here.
        redis.call('ZREM', index, member)
    elseif r and r.index == ARGV[1] then
        r.state, r.steps, r.audit, r.response = r.stored, '', '', ''
        found[#found + 1] = member
        found[#found + 1] = pack(r)
    end
end
return found
