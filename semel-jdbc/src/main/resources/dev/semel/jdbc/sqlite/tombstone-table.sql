-- Adds the table of tombstones to a store that was created without it.

-- What is left of a deleted record, where tombstones are switched on: its key is known to have been used. Also one row, under the
-- digest of zeros, with the highest time at which records were deleted for their age.
CREATE TABLE IF NOT EXISTS semel_tombstone (
    digest     BLOB    PRIMARY KEY, -- digest of scope and key
    operation  TEXT    NOT NULL,    -- name of the operation
    state      TEXT    NOT NULL,    -- state in which the record was deleted
    deleted_at INTEGER NOT NULL     -- when it was deleted
) STRICT, WITHOUT ROWID;

-- Pruning, oldest first.
CREATE INDEX IF NOT EXISTS semel_tombstone_age ON semel_tombstone (deleted_at);
