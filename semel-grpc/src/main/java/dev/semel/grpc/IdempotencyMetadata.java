package dev.semel.grpc;

import io.grpc.Metadata;

/** The metadata by which client and server talk about idempotency. */
public final class IdempotencyMetadata {

    /** The key of a call, the same on every retry: 1 to 255 visible ASCII characters without commas. */
    public static final Metadata.Key<String> KEY = text("idempotency-key");

    /** The key of a call where it is not text, such as the bytes of a UUID: 1 to 128 bytes. */
    public static final Metadata.Key<byte[]> BINARY_KEY =
            Metadata.Key.of("idempotency-key-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** A trailer with the value {@code true} on an answer that was recorded before. */
    public static final Metadata.Key<String> REPLAYED = text("idempotency-replayed");

    /** A trailer that says why a call was refused; see {@link RefusalCode}. */
    public static final Metadata.Key<String> CODE = text("idempotency-code");

    /** A trailer that says whether the same call with the same key may get another answer later. */
    public static final Metadata.Key<String> RETRYABLE = text("idempotency-retryable");

    /** A trailer that says after how many seconds a retry makes sense. */
    public static final Metadata.Key<String> RETRY_AFTER = text("idempotency-retry-after");

    /** The same in milliseconds, for clients of gRPC that are configured to retry by themselves. */
    static final Metadata.Key<String> PUSHBACK = text("grpc-retry-pushback-ms");

    private IdempotencyMetadata() {}

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
