package dev.semel.messaging.outbox;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message to publish. */
public final class OutboxMessage {

    private final String destination;
    private final @Nullable String key;
    private final String idempotencyKey;
    private final byte[] payload;

    /**
     * A message.
     *
     * @param destination topic, exchange or queue
     * @param key the ordering key, such as Kafka's record key; null when the order does not matter
     * @param idempotencyKey the same whenever this message is written or published again: derived, for example by
     *     {@link dev.semel.Attempt#downstreamKey}, and never random
     * @param payload not copied: do not change it
     */
    public OutboxMessage(String destination, @Nullable String key, String idempotencyKey, byte[] payload) {
        this.destination = destination;
        this.key = key;
        this.idempotencyKey = idempotencyKey;
        this.payload = payload;
    }

    public String destination() {
        return destination;
    }

    public @Nullable String key() {
        return key;
    }

    public String idempotencyKey() {
        return idempotencyKey;
    }

    /** The array itself, not a copy: do not change it. */
    public byte[] payload() {
        return payload;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OutboxMessage that
                && destination.equals(that.destination)
                && Objects.equals(key, that.key)
                && idempotencyKey.equals(that.idempotencyKey)
                && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(destination, idempotencyKey);
    }

    /** The destination and the length, never the content. */
    @Override
    public String toString() {
        return "message of " + payload.length + " bytes to " + destination;
    }
}
