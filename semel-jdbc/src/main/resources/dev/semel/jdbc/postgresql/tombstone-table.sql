-- Adds what late retries and tombstones need to a store that was created without it.

-- Its value is read after a row is in the table, whatever the reader's snapshot: sequences are not part of transactions.
CREATE SEQUENCE IF NOT EXISTS semel_deleted AS bigint CACHE 1;

COMMENT ON SEQUENCE semel_deleted IS
    'The highest time at which records were deleted for their age, in microseconds since 1970: keys from before are not fresh, also when the clock is set back.';

CREATE TABLE IF NOT EXISTS semel_tombstone (
    deleted_at timestamptz      NOT NULL,
    digest     uuid             NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    state      text COLLATE "C" NOT NULL,
    CONSTRAINT semel_tombstone_pkey PRIMARY KEY (digest)
);

COMMENT ON TABLE  semel_tombstone            IS 'What is left of a deleted record, where tombstones are switched on: its key is known to have been used.';
COMMENT ON COLUMN semel_tombstone.deleted_at IS 'When the record was deleted, by this server''s clock.';
COMMENT ON COLUMN semel_tombstone.digest     IS 'Digest of scope and key.';
COMMENT ON COLUMN semel_tombstone.operation  IS 'Name of the operation.';
COMMENT ON COLUMN semel_tombstone.state      IS 'State in which the record was deleted.';

-- Pruning, oldest first.
CREATE INDEX IF NOT EXISTS semel_tombstone_age ON semel_tombstone (deleted_at);
