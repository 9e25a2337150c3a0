-- The outbox in PostgreSQL: messages to publish after a commit.
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

COMMENT ON TABLE  semel_outbox                 IS 'Committed messages that are not published yet; a row is deleted after its broker has confirmed it.';
COMMENT ON COLUMN semel_outbox.id              IS 'The order in which committed messages are published.';
COMMENT ON COLUMN semel_outbox.destination     IS 'Topic, exchange or queue.';
COMMENT ON COLUMN semel_outbox.message_key     IS 'The ordering key, such as the key of a Kafka record; null when order does not matter.';
COMMENT ON COLUMN semel_outbox.idempotency_key IS 'The same on every publication of the message, so that its consumers recognize duplicates.';
COMMENT ON COLUMN semel_outbox.payload         IS 'The content of the message.';
COMMENT ON COLUMN semel_outbox.created_at      IS 'When the message was written, by this server''s clock.';
