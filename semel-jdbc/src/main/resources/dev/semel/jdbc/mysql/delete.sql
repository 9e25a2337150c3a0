-- Deletes records that are locked.

DELETE r FROM semel_record r FORCE INDEX (PRIMARY)
WHERE [[(r.scope = ? AND r.`key` = ?)| OR ]]
