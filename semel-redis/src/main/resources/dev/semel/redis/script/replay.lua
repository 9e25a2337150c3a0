-- The first part of claims. Most claims are for completed records: they are answered here, without the functions that change
-- a record. claim.lua continues from the first claim that is no replay.
--
--   KEYS[2...]  a record for each claim
--   ARGV        as in claim.lua

local ANSWER_GRANTED, ANSWER_RECORDED, ANSWER_BUSY, ANSWER_MISMATCH, ANSWER_UNKNOWN, ANSWER_GIVEN_UP = 1, 2, 3, 4, 5, 6
local ANSWER_TOO_LATE, ANSWER_TOO_EARLY = 7, 8
local ARGUMENTS = 9

local now = clock()
local answers = {}
local item = 0

-- Whether the record is completed, not expired, and has this fingerprint.
local function replays(value, fingerprint)
    if type(value) ~= 'string' or #value < HEADER_BYTES then
        return false
    end
    local format, state, _, _, till, _, _, _, _, _, _, _, op, fp, ho, re, so, de, st, au, rs, at =
        struct.unpack(HEADER, value)
    return format == FORMAT and at + op + fp + ho + re + so + de + st + au + rs - 1 == #value
        and state == COMPLETED and till > now
        and value:sub(at + op, at + op + fp - 1) == fingerprint
end

while item < ITEMS do
    local value = redis.pcall('GET', KEYS[item + 2])
    if not replays(value, ARGV[item * ARGUMENTS + 2]) then
        break
    end
    item = item + 1
    answers[item] = answer(ANSWER_RECORDED, now, value)
end

if item == ITEMS then
    return answers
end
