-- Changes nothing, and needs every privilege on tombstones.

INSERT INTO semel_tombstone SELECT * FROM semel_tombstone WHERE 1 = 0;
UPDATE semel_tombstone SET deleted_at = deleted_at WHERE 1 = 0;
DELETE FROM semel_tombstone WHERE 1 = 0;
