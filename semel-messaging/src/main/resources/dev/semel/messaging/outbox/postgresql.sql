-- Messages that follow a commit, in PostgreSQL.
--
-- Safe to run again: nothing that exists is changed.

CREATE TABLE IF NOT EXISTS semel_outbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    destination     text        NOT NULL,
    message_key     text,
    idempotency_key text        NOT NULL UNIQUE,
    payload         bytea       NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON TABLE  semel_outbox                 IS 'Messages that were committed and are not published yet; a row goes when its broker has confirmed it.';
COMMENT ON COLUMN semel_outbox.id              IS 'The order in which messages are published, as far as they are committed by then.';
COMMENT ON COLUMN semel_outbox.destination     IS 'Topic, exchange or queue.';
COMMENT ON COLUMN semel_outbox.message_key     IS 'What the broker keeps in order; null where nothing is.';
COMMENT ON COLUMN semel_outbox.idempotency_key IS 'The same on every publication of the message, so that its consumers recognize a repetition.';
COMMENT ON COLUMN semel_outbox.payload         IS 'What the message says.';
COMMENT ON COLUMN semel_outbox.created_at      IS 'When the message was written, by this server''s clock.';
