package dev.semel.messaging.outbox;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message on its way out. */
public final class OutboxMessage {

    private final String destination;
    private final @Nullable String key;
    private final String idempotencyKey;
    private final byte[] payload;

    /**
     * A message.
     *
     * @param destination topic, exchange or queue
     * @param key what the broker keeps in order; null where nothing is
     * @param idempotencyKey the same whenever this message is written or published again: derived, for example by
     *     {@link dev.semel.Attempt#downstreamKey}, and never random
     * @param payload not copied: never change it
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

    /** The array itself, not a copy: never change it. */
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

    /** Says where it goes and how long it is, never what it says. */
    @Override
    public String toString() {
        return "message of " + payload.length + " bytes to " + destination;
    }
}
