-- Semel's records in SQLite, schema version 1.
--
-- Safe to run again: nothing that exists is changed. Times are microseconds since 1970-01-01 UTC by SQLite's own clock.
-- Text is compared by its bytes: keys that differ in case, trailing spaces or normalization are different keys.

CREATE TABLE IF NOT EXISTS semel_schema (
    version INTEGER PRIMARY KEY -- which version of this schema is installed: one row
) STRICT;

CREATE TABLE IF NOT EXISTS semel_fence (
    id   INTEGER PRIMARY KEY CHECK (id = 1), -- there is one counter
    last INTEGER NOT NULL                    -- the fence granted last; it never decreases, also not when records are deleted
) STRICT;

-- One row for each intent that a client asked to execute once.
CREATE TABLE IF NOT EXISTS semel_record (
    scope           TEXT    NOT NULL, -- the owner of the key: a tenant, an account, a user; the same key in two scopes is two keys
    key             TEXT    NOT NULL, -- the client's identifier of the intent, repeated on every retry
    operation       TEXT    NOT NULL, -- name of the operation, such as create-payment
    fingerprint     TEXT    NOT NULL, -- versioned digest of what the request means; another one under the same key is misuse
    state           TEXT    NOT NULL, -- in_progress, completed, failed_retryable, unknown, or expired when kept for audit
    fence           INTEGER NOT NULL, -- number of the last granted claim; every write of an attempt carries it
    attempts        INTEGER NOT NULL, -- how many claims were granted since the record was new or expired
    reexecutable    INTEGER NOT NULL, -- 1 if the operation may simply be executed again after a crash
    holder          TEXT    NOT NULL, -- who made the last granted claim: unique to that claim
    locked_until    INTEGER,          -- when the lease ends; only while in progress
    expires_at      INTEGER,          -- when retention ends; null while in progress or unknown, which never expire
    created_at      INTEGER NOT NULL, -- when the first claim since the record was new or expired was granted
    updated_at      INTEGER NOT NULL, -- when the row was last written
    claimed_at      INTEGER NOT NULL, -- when the last claim was granted
    doubt_since     INTEGER,          -- since when an attempt that has vanished may have begun the first step that is not recorded
    response        BLOB,             -- the recorded response, opaque to the database; exactly on completed records
    reason          TEXT,             -- short code of why the record is not completed, such as in_progress_lock_expired
    evidence_source TEXT,             -- who settled an unknown outcome, such as provider-webhook or person:alice
    evidence_detail TEXT,             -- what they saw, such as the provider's charge id
    steps           BLOB,             -- steps that attempts have recorded, opaque to the database; until completed or afresh
    unknown_since   INTEGER,          -- when the outcome became unknown; exactly on unknown records
    tries           INTEGER NOT NULL DEFAULT 0, -- how often a reconciler has taken it to ask for its outcome
    next_try_at     INTEGER,          -- when it is time to ask again; null on an unknown record: it waits for a person
    PRIMARY KEY (scope, key),
    CHECK (state IN ('in_progress', 'completed', 'failed_retryable', 'unknown', 'expired')),
    CHECK ((state = 'in_progress') = (locked_until IS NOT NULL)),
    CHECK ((state IN ('in_progress', 'unknown')) = (expires_at IS NULL)),
    CHECK ((state = 'completed') = (response IS NOT NULL)),
    CHECK ((evidence_source IS NULL) = (evidence_detail IS NULL)),
    CHECK ((state = 'unknown') = (unknown_since IS NOT NULL)),
    CHECK (next_try_at IS NULL OR state = 'unknown')
) STRICT;

-- What happened to each record: one row for every change, written together with it. Deleted with the record.
CREATE TABLE IF NOT EXISTS semel_audit (
    number     INTEGER PRIMARY KEY AUTOINCREMENT, -- rises from entry to entry, also when entries are deleted
    scope      TEXT    NOT NULL, -- scope of the record
    key        TEXT    NOT NULL, -- key of the record
    at         INTEGER NOT NULL, -- when the change was made
    change     TEXT    NOT NULL, -- granted, taken_over, step, settled, given_up, reoffered, reconciled, rescheduled, dead_lettered, requeued, expired, viewed, proposed, forgotten
    fence      INTEGER NOT NULL, -- fence of the record after the change
    from_state TEXT,             -- state before; null when there was no record, expired when its retention had passed
    to_state   TEXT    NOT NULL, -- state after
    who        TEXT    NOT NULL, -- holder of the claim, source of the evidence, sweeper or pruning
    why        TEXT              -- short code, name of the step, or what the evidence says
) STRICT;

CREATE INDEX IF NOT EXISTS semel_audit_record ON semel_audit (scope, key);

-- Pruning, oldest first; apart from the records that are already marked, of which there may be many.
CREATE INDEX IF NOT EXISTS semel_record_due ON semel_record (expires_at)
    WHERE expires_at IS NOT NULL AND state <> 'expired';

CREATE INDEX IF NOT EXISTS semel_record_marked ON semel_record (expires_at) WHERE state = 'expired';

-- Attempts whose lease a sweep has to check; apart from those that were swept and wait to be taken over.
CREATE INDEX IF NOT EXISTS semel_record_lease_end ON semel_record (locked_until)
    WHERE state = 'in_progress' AND reason IS NULL;

-- Unknown outcomes, and when the reconciler asks next.
CREATE INDEX IF NOT EXISTS semel_record_unknown ON semel_record (scope, key) WHERE state = 'unknown';

CREATE INDEX IF NOT EXISTS semel_record_next_try ON semel_record (operation, next_try_at)
    WHERE state = 'unknown' AND next_try_at IS NOT NULL;

-- Search for operators, by state and last claim, of all records that semel_record_lease_end leaves out: so a claim writes no entry
-- of it, and a settlement writes one. The state is an expression, so that no statement of a request can be planned on this index,
-- where it would read all records of a state. A store that was created without it works; only search needs it.
CREATE INDEX IF NOT EXISTS semel_record_search ON semel_record ((state || ''), claimed_at, fence)
    WHERE locked_until IS NULL OR reason IS NOT NULL;

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

INSERT INTO semel_fence (id, last) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM semel_fence);

INSERT INTO semel_schema (version) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_schema);
