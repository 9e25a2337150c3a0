-- Semel's records in SQLite, schema version 1.
--
-- Safe to run again: nothing that exists is changed. Times are microseconds since 1970-01-01 UTC by SQLite's own clock.
-- Text is compared by its bytes: keys that differ in case, trailing spaces or normalization are different keys.

CREATE TABLE IF NOT EXISTS semel_schema (
    version INTEGER PRIMARY KEY -- which version of this schema is installed: one row
) STRICT;

CREATE TABLE IF NOT EXISTS semel_fence (
    id   INTEGER PRIMARY KEY CHECK (id = 1), -- there is one counter
    last INTEGER NOT NULL                    -- the fence granted last; it never goes back, also not when records are deleted
) STRICT;

-- One row for each intent that somebody asked to have done once.
CREATE TABLE IF NOT EXISTS semel_record (
    scope           TEXT    NOT NULL, -- whom the key belongs to: a tenant, an account, a user; keys of different scopes never meet
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
    response        BLOB,             -- the recorded response, opaque to the database; exactly on completed records
    reason          TEXT,             -- short code of why the record is not completed, such as in_progress_lock_expired
    evidence_source TEXT,             -- who settled an unknown outcome, such as provider-webhook or person:alice
    evidence_detail TEXT,             -- what they saw, such as the provider's charge id
    PRIMARY KEY (scope, key),
    CHECK (state IN ('in_progress', 'completed', 'failed_retryable', 'unknown', 'expired')),
    CHECK ((state = 'in_progress') = (locked_until IS NOT NULL)),
    CHECK ((state IN ('in_progress', 'unknown')) = (expires_at IS NULL)),
    CHECK ((state = 'completed') = (response IS NOT NULL)),
    CHECK ((evidence_source IS NULL) = (evidence_detail IS NULL))
) STRICT;

-- Pruning, oldest first; apart from the records that are already marked, of which there may be many.
CREATE INDEX IF NOT EXISTS semel_record_due ON semel_record (expires_at)
    WHERE expires_at IS NOT NULL AND state <> 'expired';

CREATE INDEX IF NOT EXISTS semel_record_marked ON semel_record (expires_at) WHERE state = 'expired';

-- Attempts that were last heard of before their lease ended.
CREATE INDEX IF NOT EXISTS semel_record_lease_end ON semel_record (locked_until) WHERE state = 'in_progress';

-- What somebody has to find out, oldest first.
CREATE INDEX IF NOT EXISTS semel_record_unknown ON semel_record (updated_at) WHERE state = 'unknown';

INSERT INTO semel_fence (id, last) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM semel_fence);

INSERT INTO semel_schema (version) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM semel_schema);
