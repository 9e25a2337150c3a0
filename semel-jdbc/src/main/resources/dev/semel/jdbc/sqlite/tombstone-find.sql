-- When the record of this digest was deleted, if it has a tombstone.

SELECT deleted_at FROM semel_tombstone WHERE digest = ?
