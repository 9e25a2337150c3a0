-- Marks records whose lease has expired, oldest first, and skips those that others have locked; returns them as they are now.
--
-- A sub-select around the clock: it is read once, and the index can be used.
-- Row by row what Transitions.onSweep says: the index has no records that were swept before.
-- In a partitioned table another row may have the same place; IS TRUE, so that it does not become a join of all rows with all.

WITH request AS MATERIALIZED (
    SELECT ?::integer AS most, ?::text AS lease_expired, clock_timestamp() AS at
),
expired AS MATERIALIZED (
    SELECT r.tableoid AS part, r.ctid AS place, r.scope, r.key, r.locked_until
    FROM semel_record r
    WHERE r.state = 'in_progress' AND (r.reason IS NULL OR NOT r.reexecutable)
      AND r.locked_until <= (SELECT q.at FROM request q)
    ORDER BY r.locked_until
    LIMIT (SELECT q.most FROM request q)
    FOR UPDATE SKIP LOCKED
),
swept AS (
    UPDATE semel_record r
    SET state = CASE WHEN r.reexecutable THEN r.state ELSE 'unknown' END,
        locked_until = CASE WHEN r.reexecutable THEN r.locked_until END,
        updated_at = q.at, reason = q.lease_expired,
        unknown_since = CASE WHEN NOT r.reexecutable THEN q.at END,
        tries = 0,
        next_try_at = CASE WHEN NOT r.reexecutable THEN q.at END,
        audit = semel_history(r) || ROW(
            q.at, CASE WHEN r.reexecutable THEN 'reoffered' ELSE 'given_up' END, r.fence,
            r.state, CASE WHEN r.reexecutable THEN r.state ELSE 'unknown' END, 'sweeper', q.lease_expired)::semel_entry
    FROM request q
    WHERE r.ctid = ANY (ARRAY(SELECT e.place FROM expired e))
      AND ((r.tableoid, r.ctid) IN (SELECT e.part, e.place FROM expired e)) IS TRUE
    RETURNING r.*, q.at
)
SELECT s.*
FROM expired e JOIN swept s ON s.scope = e.scope AND s.key = e.key
ORDER BY e.locked_until
