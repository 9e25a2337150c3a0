-- Grants one claim within a transaction of the application's, if its key has no record: as claim-one.sql, and a row only when it was
-- granted. It sets lock_timeout for as long as it may wait, and back when it was granted; a rollback to the savepoint before it does
-- the same otherwise. An insert leaves the planner no choice, so it needs no other setting.

INSERT INTO semel_record AS r (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, created_at, updated_at, claimed_at)
SELECT scope, key, operation, fingerprint, 'in_progress', nextval('semel_fence'), 1, reexecutable, holder,
       at + lease * interval '1 microsecond', at, at, at
FROM (
    SELECT ?::text AS scope, ?::text AS key, ?::text AS operation, ?::text AS fingerprint, ?::bigint AS lease,
           ?::boolean AS reexecutable, ?::text AS holder, clock_timestamp() AS at,
           set_config('semel.lock_timeout', current_setting('lock_timeout'), true) AS kept,
           set_config('lock_timeout', ?::text, true) AS waits
    OFFSET 0
) q
ON CONFLICT (scope, key) DO NOTHING
RETURNING r.holder, r.fence, r.created_at AS at,
          1 / (r.fence > coalesce(pg_sequence_last_value('semel_prune'), 0))::integer AS sound,
          set_config('lock_timeout', current_setting('semel.lock_timeout'), true) AS restored
