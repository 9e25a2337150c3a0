-- Deletes tombstones of records that were deleted longer ago than this, oldest first.

DELETE FROM semel_tombstone
WHERE deleted_at <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) - ?
  AND digest <> x'00000000000000000000000000000000'
ORDER BY deleted_at
LIMIT ?
