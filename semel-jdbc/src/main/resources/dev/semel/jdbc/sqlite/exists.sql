-- Whether there is a record. The driver fetches the name of every column with each answer, so this has one.

SELECT 1 FROM semel_record r WHERE r.scope = ? AND r.key = ?
