-- Reads a record.

SELECT r.* FROM semel_record r WHERE r.scope = ? AND r.key = ?
