-- Writes the record of work that was done without a claim, at the end of a transaction of the application's: completed, if its key has
-- no record. A row when it was written. What the columns say is what claim-within.sql and settle-within.sql would have left, with one
-- moment for both. lock_timeout is what it may wait for another transaction that writes the same key; the commit follows.

INSERT INTO semel_record AS r (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    expires_at, created_at, updated_at, claimed_at, response)
SELECT scope, key, operation, fingerprint, 'completed', nextval('semel_fence'), 1, reexecutable, holder,
       at + retention * interval '1 microsecond', at, at, at, response
FROM (
    SELECT ?::text AS scope, ?::text AS key, ?::text AS operation, ?::text AS fingerprint, ?::boolean AS reexecutable,
           ?::text AS holder, ?::bigint AS retention, ?::bytea AS response, clock_timestamp() AS at,
           set_config('lock_timeout', ?::text, true) AS waits
    OFFSET 0
) q
ON CONFLICT (scope, key) DO NOTHING
RETURNING r.fence, 1 / (r.fence > coalesce(pg_sequence_last_value('semel_prune'), 0))::integer AS sound
