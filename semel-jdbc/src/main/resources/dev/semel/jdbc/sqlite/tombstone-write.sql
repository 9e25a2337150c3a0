-- Leaves a tombstone, in the transaction that deletes the record. A time that is there already never decreases.

INSERT INTO semel_tombstone (digest, operation, state, deleted_at) VALUES (?, ?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET
    operation = excluded.operation, state = excluded.state, deleted_at = max(deleted_at, excluded.deleted_at)
