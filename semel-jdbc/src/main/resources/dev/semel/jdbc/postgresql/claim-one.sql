-- Grants one claim, if its key has no record: what claim.sql does for many, without the positions. A row
-- when it was granted. find.sql follows in the same round trip, to read the record that is there otherwise.

INSERT INTO semel_record AS r (
    scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
    locked_until, created_at, updated_at, claimed_at)
SELECT scope, key, operation, fingerprint, 'in_progress', nextval('semel_fence'), 1, reexecutable, holder,
       at + lease * interval '1 microsecond', at, at, at
FROM (
    SELECT ?::text AS scope, ?::text AS key, ?::text AS operation, ?::text AS fingerprint, ?::bigint AS lease,
           ?::boolean AS reexecutable, ?::text AS holder, clock_timestamp() AS at
    OFFSET 0
) q
ON CONFLICT (scope, key) DO NOTHING
RETURNING r.holder, r.fence, r.created_at AS at,
          1 / (r.fence > coalesce(pg_sequence_last_value('semel_prune'), 0))::integer AS sound
