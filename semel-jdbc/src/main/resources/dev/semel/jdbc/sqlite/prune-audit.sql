-- Writes the entries of the records that prune-mark.sql marks next, in the same transaction and by the same order.

INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who, why)
SELECT scope, key, ?1, ?3, fence, state, 'expired', ?4, NULL
FROM semel_record
WHERE expires_at IS NOT NULL AND state <> 'expired' AND expires_at <= ?1
ORDER BY expires_at, rowid
LIMIT ?2
