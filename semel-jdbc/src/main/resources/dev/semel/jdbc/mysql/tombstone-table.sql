-- Adds the table of tombstones to a store that was created without it.

CREATE TABLE IF NOT EXISTS semel_tombstone (
    digest     BINARY(16)      NOT NULL COMMENT 'Digest of scope and key. Under the digest of zeros: the highest time at which records were deleted for their age.',
    operation  VARBINARY(1000) NOT NULL COMMENT 'Name of the operation.',
    state      VARBINARY(20)   NOT NULL COMMENT 'State in which the record was deleted.',
    deleted_at BIGINT          NOT NULL COMMENT 'When it was deleted.',
    PRIMARY KEY (digest),
    KEY semel_tombstone_age (deleted_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC COMMENT = 'What is left of a deleted record, where tombstones are switched on: its key is known to have been used.'
