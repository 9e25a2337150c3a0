-- What time it is, in microseconds since 1970. The store's decisions on time all rest on this one expression.
--
-- The function counts milliseconds as a fraction of seconds: rounding undoes what a binary fraction cannot hold.

SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) * 1000 AS at
