-- Deletes what happened to a record, in the transaction that deletes the record.

DELETE FROM semel_audit WHERE scope = ? AND key = ?
