-- Semel's records in PostgreSQL, schema version 1.
--
-- Safe to run again: nothing that exists is changed. Runs in the first schema of search_path.

CREATE TABLE IF NOT EXISTS semel_schema (
    version integer PRIMARY KEY
);

COMMENT ON TABLE  semel_schema         IS 'Which version of this schema is installed: one row.';
COMMENT ON COLUMN semel_schema.version IS 'Version of the schema; a release refuses to work on one it does not know.';

-- CACHE 1: a session that kept values back would hand out old fences after newer ones of other sessions.
CREATE SEQUENCE IF NOT EXISTS semel_fence AS bigint CACHE 1;

COMMENT ON SEQUENCE semel_fence IS 'The next fence. It never decreases, so a key used again after deletion gets a higher fence.';

CREATE SEQUENCE IF NOT EXISTS semel_prune AS bigint CACHE 1;

COMMENT ON SEQUENCE semel_prune IS
    'The highest fence of a deleted record, so that a claim notices a deletion that happened between taking its fence and writing it.';

-- What happened to a record once. It lies in the record's own row: a second row for every change would cost as much as the
-- change itself.
DO $$
BEGIN
    IF to_regtype(quote_ident(current_schema()) || '.semel_entry') IS NULL THEN
        CREATE TYPE semel_entry AS (
            at         timestamptz,
            change     text COLLATE "C",
            fence      bigint,
            from_state text COLLATE "C",
            to_state   text COLLATE "C",
            who        text COLLATE "C",
            why        text COLLATE "C"
        );
    END IF;
END
$$;

COMMENT ON TYPE   semel_entry            IS 'One change of a record.';
COMMENT ON COLUMN semel_entry.at         IS 'When the change was made, by this server''s clock.';
COMMENT ON COLUMN semel_entry.change     IS 'What was done: granted, taken_over, step, settled, given_up, reoffered, reconciled, rescheduled, dead_lettered, requeued, expired, viewed, proposed or forgotten.';
COMMENT ON COLUMN semel_entry.fence      IS 'Fence of the record after the change.';
COMMENT ON COLUMN semel_entry.from_state IS 'State before; null when there was no record, expired when its retention had passed.';
COMMENT ON COLUMN semel_entry.to_state   IS 'State after.';
COMMENT ON COLUMN semel_entry.who        IS 'Holder of the claim, source of the evidence, sweeper or pruning.';
COMMENT ON COLUMN semel_entry.why        IS 'Short code, name of the step, or what the evidence says; null where the change says it all.';

-- Text is compared by its bytes: keys that differ in case, trailing spaces or normalization are different keys.
-- No CHECK: the server parses each of them again for every statement. What they would say is checked by Semel's tests.
CREATE TABLE IF NOT EXISTS semel_record (
    scope           text COLLATE "C" NOT NULL,
    key             text COLLATE "C" NOT NULL,
    operation       text COLLATE "C" NOT NULL,
    fingerprint     text COLLATE "C" NOT NULL,
    state           text COLLATE "C" NOT NULL,
    fence           bigint           NOT NULL,
    attempts        integer          NOT NULL,
    reexecutable    boolean          NOT NULL,
    holder          text COLLATE "C" NOT NULL,
    locked_until    timestamptz,
    expires_at      timestamptz,
    created_at      timestamptz      NOT NULL,
    updated_at      timestamptz      NOT NULL,
    claimed_at      timestamptz      NOT NULL,
    doubt_since     timestamptz,
    response        bytea,
    reason          text COLLATE "C",
    evidence_source text COLLATE "C",
    evidence_detail text COLLATE "C",
    steps           bytea,
    unknown_since   timestamptz,
    tries           integer          NOT NULL DEFAULT 0,
    next_try_at     timestamptz,
    audit           semel_entry[],
    -- The key first: it differs between records more often than the scope.
    CONSTRAINT semel_record_pkey PRIMARY KEY (key, scope)
);

COMMENT ON TABLE  semel_record                 IS 'One row for each intent that a client asked to execute once.';
COMMENT ON COLUMN semel_record.scope           IS 'The owner of the key: a tenant, an account, a user. The same key in two scopes is two keys.';
COMMENT ON COLUMN semel_record.key             IS 'The client''s identifier of the intent, repeated on every retry.';
COMMENT ON COLUMN semel_record.operation       IS 'Name of the operation, such as create-payment.';
COMMENT ON COLUMN semel_record.fingerprint     IS 'Versioned digest of what the request means; another one under the same key is misuse.';
COMMENT ON COLUMN semel_record.state           IS 'in_progress, completed, failed_retryable, unknown, or expired when kept for audit after its retention.';
COMMENT ON COLUMN semel_record.fence           IS 'Number of the last granted claim; every write of an attempt carries it, and a lower one is refused.';
COMMENT ON COLUMN semel_record.attempts        IS 'How many claims were granted since the record was new or expired.';
COMMENT ON COLUMN semel_record.reexecutable    IS 'Whether the operation may simply be executed again after a crash, as declared when it was claimed.';
COMMENT ON COLUMN semel_record.holder          IS 'Who made the last granted claim: unique to that claim.';
COMMENT ON COLUMN semel_record.locked_until    IS 'When the lease ends by this server''s clock; only while in progress.';
COMMENT ON COLUMN semel_record.expires_at      IS 'When retention ends by this server''s clock; null while in progress or unknown, which never expire.';
COMMENT ON COLUMN semel_record.created_at      IS 'When the first claim since the record was new or expired was granted.';
COMMENT ON COLUMN semel_record.updated_at      IS 'When the row was last written.';
COMMENT ON COLUMN semel_record.claimed_at      IS 'When the last claim was granted.';
COMMENT ON COLUMN semel_record.doubt_since     IS 'Since when an attempt that has vanished may have begun the first step that is not recorded; null when there is no such doubt.';
COMMENT ON COLUMN semel_record.response        IS 'The recorded response, opaque to the database; exactly on completed records.';
COMMENT ON COLUMN semel_record.reason          IS 'Short code of why the record is not completed, such as in_progress_lock_expired.';
COMMENT ON COLUMN semel_record.evidence_source IS 'Who settled an unknown outcome, such as provider-webhook or person:alice.';
COMMENT ON COLUMN semel_record.evidence_detail IS 'What they saw, such as the provider''s charge id.';
COMMENT ON COLUMN semel_record.steps           IS 'Steps that attempts have recorded, opaque to the database; kept until the record is completed or starts afresh.';
COMMENT ON COLUMN semel_record.unknown_since   IS 'When the outcome became unknown; exactly on unknown records.';
COMMENT ON COLUMN semel_record.tries           IS 'How often a reconciler has taken it to ask for its outcome.';
COMMENT ON COLUMN semel_record.next_try_at     IS 'When it is time to ask again; null on an unknown record means that it is dead-lettered and waits for a person.';

COMMENT ON COLUMN semel_record.audit           IS 'What happened to the record, one entry for every change, written together with it; null when it was claimed once and, if it is completed, settled once, which the other columns tell. semel_audit shows it as rows.';

DO $$
BEGIN
    IF to_regprocedure(quote_ident(current_schema()) || '.semel_history(semel_record)') IS NULL THEN
        CREATE FUNCTION semel_history(r semel_record) RETURNS semel_entry[] LANGUAGE sql IMMUTABLE AS $history$
            SELECT coalesce(
                r.audit,
                ARRAY[ROW(r.claimed_at, 'granted', r.fence, NULL, 'in_progress', r.holder, NULL)::semel_entry]
                || CASE r.state WHEN 'completed' THEN ARRAY[ROW(
                       r.updated_at, 'settled', r.fence, 'in_progress', r.state, r.holder, NULL)::semel_entry] END)
        $history$;
    END IF;
END
$$;

COMMENT ON FUNCTION semel_history(semel_record) IS 'What happened to a record, also what other columns than audit hold.';

DO $$
BEGIN
    IF to_regclass(quote_ident(current_schema()) || '.semel_audit') IS NULL THEN
        CREATE VIEW semel_audit AS
            SELECT r.scope, r.key, e.number, e.at, e.change, e.fence, e.from_state, e.to_state, e.who, e.why
            FROM semel_record r
            CROSS JOIN LATERAL unnest(semel_history(r)) WITH ORDINALITY
                AS e (at, change, fence, from_state, to_state, who, why, number);
    END IF;
END
$$;

COMMENT ON VIEW   semel_audit        IS 'What happened to each record, one row for every change.';
COMMENT ON COLUMN semel_audit.number IS 'Counts the entries of a record from 1.';

-- No fillfactor: every write changes a column of one of these indexes, so no update could stay within its page anyway.

-- Pruning, oldest first; apart from the records that are already marked, of which there may be many.
CREATE INDEX IF NOT EXISTS semel_record_due ON semel_record (expires_at)
    WHERE expires_at IS NOT NULL AND state <> 'expired';

CREATE INDEX IF NOT EXISTS semel_record_marked ON semel_record (expires_at) WHERE state = 'expired';

-- Attempts whose leases will end, apart from those that were noticed already and wait for the next claim.
CREATE INDEX IF NOT EXISTS semel_record_lease_end ON semel_record (locked_until)
    WHERE state = 'in_progress' AND (reason IS NULL OR NOT reexecutable);

-- Unknown outcomes, and when the reconciler asks next.
CREATE INDEX IF NOT EXISTS semel_record_unknown ON semel_record (scope, key) WHERE state = 'unknown';

CREATE INDEX IF NOT EXISTS semel_record_next_try ON semel_record (operation, next_try_at)
    WHERE state = 'unknown' AND next_try_at IS NOT NULL;

-- Search for operators, by state and last claim, of all records that semel_record_lease_end leaves out: so a claim writes no entry
-- of it, and a settlement writes one. The state is an expression, so that no statement of a request can be planned on this index,
-- where it would read all records of a state. A store that was created without it works; only search needs it. On a large table
-- that is in use: CREATE INDEX CONCURRENTLY, and then DROP INDEX CONCURRENTLY IF EXISTS semel_record_claimed, of earlier releases.
CREATE INDEX IF NOT EXISTS semel_record_search ON semel_record ((state || ''), claimed_at, fence)
    WHERE locked_until IS NULL OR (reason IS NOT NULL AND reexecutable);

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

INSERT INTO semel_schema (version) SELECT 1 WHERE NOT EXISTS (SELECT FROM semel_schema);
