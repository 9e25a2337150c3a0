-- Leaves tombstones, in the transaction that deletes the records. A time that is there already never decreases.

INSERT INTO semel_tombstone (digest, operation, state, deleted_at)
VALUES [[(?, ?, ?, ?)|, ]]
ON DUPLICATE KEY UPDATE
    operation = VALUES(operation), state = VALUES(state), deleted_at = GREATEST(deleted_at, VALUES(deleted_at))
