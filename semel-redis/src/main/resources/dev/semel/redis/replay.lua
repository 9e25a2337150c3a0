-- The beginning of a claim. Most claims are for what is completed already: they are answered here, before anything is made
-- ready that could change a record. About every other record claim.lua decides.
--
--   KEYS[2]  the record
--   ARGV     as in claim.lua

local ANSWER_GRANTED, ANSWER_RECORDED, ANSWER_BUSY, ANSWER_MISMATCH, ANSWER_UNKNOWN = 1, 2, 3, 4, 5

local now = clock()
local value = redis.call('GET', KEYS[2])

if value and #value >= HEADER_BYTES then
    local format, state, _, _, till, _, _, _, _, _, _, _, op, fp, ho, re, so, de, st, au, rs, at =
        struct.unpack(HEADER, value)
    local whole = at + op + fp + ho + re + so + de + st + au + rs - 1 == #value
    if format == FORMAT and whole and state == COMPLETED and till > now
        and value:sub(at + op, at + op + fp - 1) == ARGV[2] then
        return answer(ANSWER_RECORDED, now, value)
    end
end
