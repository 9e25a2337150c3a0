-- Semel's records in MySQL and MariaDB, schema version 1.
--
-- Safe to run again: nothing that exists is changed. Runs in the database that the connection has chosen.
--
-- Text is kept as the bytes of its UTF-8 and compared by them: keys that differ in case, trailing spaces or normalization
-- are different keys, in both servers alike. CONVERT(scope USING utf8mb4) shows it as text.
--
-- Times are microseconds since 1970-01-01 UTC by this server's clock: they depend on no session's time zone and on no
-- change of summer time. FROM_UNIXTIME(created_at / 1000000) shows one as a date.
--
-- A table of a release without searches lacks one index. A store adds it at its start; where it may not, run
-- ALTER TABLE semel_record ADD INDEX semel_record_claimed (state, claimed_at, fence)
--
-- A store of a release without tombstones lacks their table, which this creates, and so does a store at its start.

CREATE TABLE IF NOT EXISTS semel_schema (
    version INT NOT NULL COMMENT 'Version of the schema; a release refuses to work on one it does not know.',
    PRIMARY KEY (version)
) ENGINE = InnoDB COMMENT = 'Which version of this schema is installed: one row.';

CREATE TABLE IF NOT EXISTS semel_record (
    scope           VARBINARY(765)  NOT NULL COMMENT 'The owner of the key: a tenant, an account, a user. The same key in two scopes is two keys.',
    `key`           VARBINARY(765)  NOT NULL COMMENT 'The client''s identifier of the intent, repeated on every retry.',
    operation       VARBINARY(1000) NOT NULL COMMENT 'Name of the operation, such as create-payment.',
    fingerprint     VARBINARY(255)  NOT NULL COMMENT 'Versioned digest of what the request means; another one under the same key is misuse.',
    state           VARBINARY(20)   NOT NULL COMMENT 'in_progress, completed, failed_retryable, unknown, or expired when kept for audit after its retention.',
    fence           BIGINT          NOT NULL COMMENT 'Number of the last granted claim; every write of an attempt carries it, and a lower one is refused. Zero, within a transaction only: locked, but not a record yet.',
    attempts        INT             NOT NULL COMMENT 'How many claims were granted since the record was new or expired.',
    reexecutable    BOOLEAN         NOT NULL COMMENT 'Whether the operation may simply be executed again after a crash, as declared when it was claimed.',
    holder          VARBINARY(1000) NOT NULL COMMENT 'Who made the last granted claim: unique to that claim.',
    locked_until    BIGINT                   COMMENT 'When the lease ends; only while in progress.',
    expires_at      BIGINT                   COMMENT 'When retention ends; null while in progress or unknown, which never expire.',
    created_at      BIGINT          NOT NULL COMMENT 'When the first claim since the record was new or expired was granted.',
    updated_at      BIGINT          NOT NULL COMMENT 'When the row was last written.',
    claimed_at      BIGINT          NOT NULL COMMENT 'When the last claim was granted.',
    doubt_since     BIGINT                   COMMENT 'Since when an attempt that has vanished may have begun the first step that is not recorded; null when there is no such doubt.',
    response        LONGBLOB                 COMMENT 'The recorded response, opaque to the database; exactly on completed records.',
    reason          MEDIUMBLOB               COMMENT 'Short code of why the record is not completed, such as in_progress_lock_expired.',
    evidence_source MEDIUMBLOB               COMMENT 'Who settled an unknown outcome, such as provider-webhook or person:alice.',
    evidence_detail MEDIUMBLOB               COMMENT 'What they saw, such as the provider''s charge id.',
    steps           LONGBLOB                 COMMENT 'Steps that attempts have recorded, opaque to the database; until the record is completed or starts afresh.',
    unknown_since   BIGINT                   COMMENT 'When the outcome became unknown; exactly on unknown records.',
    tries           INT NOT NULL DEFAULT 0   COMMENT 'How often a reconciler has taken it to ask for its outcome.',
    next_try_at     BIGINT                   COMMENT 'When it is time to ask again; null on an unknown record: it waits for a person.',
    queue           VARBINARY(1004) AS (CASE
                        WHEN fence = 0 THEN NULL
                        WHEN state = 'in_progress' THEN CASE WHEN reason IS NULL OR NOT reexecutable THEN 'lease' END
                        WHEN state = 'unknown' THEN CASE WHEN next_try_at IS NOT NULL THEN CONCAT('ask ', operation) END
                        WHEN state = 'expired' THEN 'marked'
                        ELSE 'retention'
                    END) STORED COMMENT 'What the record waits for: the end of its lease, of its retention, or to be asked about; computed, for the index.',
    queue_at        BIGINT AS (COALESCE(locked_until, expires_at, next_try_at)) STORED COMMENT 'Until when it waits; computed, for the index.',
    is_unknown      BOOLEAN AS (CASE WHEN state = 'unknown' THEN 1 END) STORED COMMENT 'One on unknown records, else null; computed, for the index.',
    PRIMARY KEY (scope, `key`),
    -- Each record waits in one queue at most, so that a change moves one entry of one index: leases for the next
    -- sweep, retention, records that are marked already (of which there may be many), and each operation's next tries.
    KEY semel_record_queue (queue, queue_at),
    KEY semel_record_unknown (is_unknown, scope, `key`),
    -- Search for operators, by state and last claim. A store that was created without it works; only search needs it.
    KEY semel_record_claimed (state, claimed_at, fence),
    CONSTRAINT semel_record_state CHECK (state IN ('in_progress', 'completed', 'failed_retryable', 'unknown', 'expired')),
    CONSTRAINT semel_record_lease CHECK ((state = 'in_progress') = (locked_until IS NOT NULL)),
    CONSTRAINT semel_record_retention CHECK ((state IN ('in_progress', 'unknown')) = (expires_at IS NULL)),
    CONSTRAINT semel_record_response CHECK ((state = 'completed') = (response IS NOT NULL)),
    CONSTRAINT semel_record_evidence CHECK ((evidence_source IS NULL) = (evidence_detail IS NULL)),
    CONSTRAINT semel_record_unknown_since CHECK ((state = 'unknown') = (unknown_since IS NOT NULL)),
    CONSTRAINT semel_record_next_try CHECK (next_try_at IS NULL OR state = 'unknown')
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC COMMENT = 'One row for each intent that a client asked to execute once.';

-- The numbers are also the fences: a claim that is granted writes its entry while it holds the lock of its record, and the
-- number of that entry is its fence. The server takes the next number outside of any transaction and keeps it over
-- restarts, so that fences only rise, and no row is in the way of all claims. Never TRUNCATE this table: that begins anew
-- at one. Deleting rows is safe.
CREATE TABLE IF NOT EXISTS semel_audit (
    number     BIGINT NOT NULL AUTO_INCREMENT COMMENT 'Rises from entry to entry, also when entries are deleted.',
    scope      VARBINARY(765) NOT NULL COMMENT 'Scope of the record.',
    `key`      VARBINARY(765) NOT NULL COMMENT 'Key of the record.',
    at         BIGINT         NOT NULL COMMENT 'When the change was made.',
    `change`   VARBINARY(20)  NOT NULL COMMENT 'granted, taken_over, step, settled, given_up, reoffered, reconciled, rescheduled, dead_lettered, requeued, expired, viewed, proposed or forgotten.',
    fence      BIGINT                  COMMENT 'Fence of the record after the change; null when a claim was granted, whose fence is the number of this entry.',
    from_state VARBINARY(20)           COMMENT 'State before; null when there was no record, expired when its retention had passed.',
    to_state   VARBINARY(20)  NOT NULL COMMENT 'State after.',
    who        MEDIUMBLOB     NOT NULL COMMENT 'Holder of the claim, source of the evidence, sweeper or pruning.',
    why        MEDIUMBLOB              COMMENT 'Short code, name of the step, or what the evidence says; null where the change says it all.',
    PRIMARY KEY (number),
    KEY semel_audit_record (scope, `key`)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC COMMENT = 'What happened to each record: one row for every change, written together with it. Deleted with the record.';

CREATE TABLE IF NOT EXISTS semel_tombstone (
    digest     BINARY(16)      NOT NULL COMMENT 'Digest of scope and key. Under the digest of zeros: the highest time at which records were deleted for their age.',
    operation  VARBINARY(1000) NOT NULL COMMENT 'Name of the operation.',
    state      VARBINARY(20)   NOT NULL COMMENT 'State in which the record was deleted.',
    deleted_at BIGINT          NOT NULL COMMENT 'When it was deleted.',
    PRIMARY KEY (digest),
    KEY semel_tombstone_age (deleted_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC COMMENT = 'What is left of a deleted record, where tombstones are switched on: its key is known to have been used.';

INSERT INTO semel_schema (version) SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM semel_schema);
