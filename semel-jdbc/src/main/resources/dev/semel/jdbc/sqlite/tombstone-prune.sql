-- Deletes tombstones of records that were deleted before this time, oldest first.

DELETE FROM semel_tombstone WHERE digest IN (
    SELECT digest FROM semel_tombstone WHERE deleted_at <= ?1 AND digest <> zeroblob(16) ORDER BY deleted_at LIMIT ?2
)
