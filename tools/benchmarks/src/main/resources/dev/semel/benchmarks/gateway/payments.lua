-- Payments for wrk, each with a new key. The argument is the beginning of the keys.
local count = 0
local beginning = ""
local headers = {
    ["Content-Type"] = "application/json",
    ["User-Agent"] = "semel-bench",
    ["Accept"] = "*/*",
}
local body = '{"amount":4200,"currency":"EUR","order":"order-17","description":"a payment of the benchmark of the gateway"}'

function init(arguments)
    beginning = arguments[1]
end

function request()
    count = count + 1
    headers["Idempotency-Key"] = beginning .. string.format("%012x", count)
    return wrk.format("POST", nil, headers, body)
end
