-- Takes unknown records whose next try is due, oldest first, and skips those that others have locked; returns the records
-- as they are now: one try more, and not due again before the hold has passed.
--
-- A sub-select around the clock and the operation: they are read once, and the index can be used.
-- In a partitioned table another row may have the same place; IS TRUE, so that it does not become a join of all rows with all.

WITH request AS MATERIALIZED (
    SELECT ?::text AS operation, ?::integer AS most, ?::bigint * interval '1 microsecond' AS hold,
           clock_timestamp() AS at
),
due AS MATERIALIZED (
    SELECT r.tableoid AS part, r.ctid AS place, r.scope, r.key, r.next_try_at
    FROM semel_record r
    WHERE r.state = 'unknown' AND r.operation = (SELECT q.operation FROM request q)
      AND r.next_try_at IS NOT NULL AND r.next_try_at <= (SELECT q.at FROM request q)
    ORDER BY r.next_try_at
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
taken AS (
    UPDATE semel_record r
    SET tries = r.tries + 1, next_try_at = q.at + q.hold, updated_at = q.at
    FROM request q
    WHERE r.ctid = ANY (ARRAY(SELECT d.place FROM due d))
      AND ((r.tableoid, r.ctid) IN (SELECT d.part, d.place FROM due d)) IS TRUE
    RETURNING r.*, q.at
)
SELECT t.*
FROM due d JOIN taken t ON t.scope = d.scope AND t.key = d.key
ORDER BY d.next_try_at
