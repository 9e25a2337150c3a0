package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a client got. */
@SuppressWarnings("ArrayRecordComponent")
record Answer(Metadata headers, byte[] message, Status status, Metadata trailers) {

    String text() {
        return message == null ? "" : new String(message, StandardCharsets.UTF_8);
    }

    Status.Code code() {
        return status.getCode();
    }

    boolean replayed() {
        return "true".equals(trailers.get(IdempotencyMetadata.REPLAYED));
    }

    /** Everything by which a client could distinguish two answers, but for the mark of a replay. */
    String essence() {
        return status.getCode() + " " + status.getDescription() + " " + lines(headers) + " "
                + (message == null ? "none" : HexFormat.of().formatHex(message)) + " " + lines(trailers);
    }

    private static List<String> lines(Metadata metadata) {
        // Of the connection: the transport adds them.
        Set<String> names = new TreeSet<>(metadata.keys());
        names.removeAll(Set.of("idempotency-replayed", "content-type", "grpc-encoding", "grpc-accept-encoding"));
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                metadata.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))
                        .forEach(value -> lines.add(name + "=" + HexFormat.of().formatHex(value)));
            } else {
                metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER))
                        .forEach(value -> lines.add(name + "=" + value));
            }
        }
        return lines;
    }

    void assertRefused(RefusalCode code) {
        assertThat(RefusalCode.in(trailers)).as(essence()).hasValue(code);
        assertThat(code()).isEqualTo(code.status());
        assertThat(trailers.get(IdempotencyMetadata.RETRYABLE)).isEqualTo(String.valueOf(code.retryable()));
        assertThat(status.getDescription()).isNotBlank();
        assertThat(replayed()).isFalse();
        assertThat(message).isNull();
        assertThat(trailers.containsKey(IdempotencyMetadata.RETRY_AFTER)).isEqualTo(code.retryable());
    }
}
