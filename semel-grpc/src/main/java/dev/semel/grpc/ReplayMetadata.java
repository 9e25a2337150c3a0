package dev.semel.grpc;

import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The metadata of an answer that may be recorded, and its entries as bytes. */
final class ReplayMetadata {

    /** What belongs to one moment or one session, may carry credentials, or is set anew on every answer. */
    private static final Set<String> NEVER = Set.of(
            "set-cookie",
            "authorization",
            "www-authenticate",
            "proxy-authorization",
            "proxy-authenticate",
            "authentication-info",
            "date",
            "grpc-retry-pushback-ms",
            "idempotency-replayed");

    /** One value of one name. */
    @SuppressWarnings("ArrayRecordComponent")
    record Entry(String name, byte[] value) {}

    private ReplayMetadata() {}

    static Metadata keepable(Metadata metadata) {
        return of(entries(metadata));
    }

    static List<Entry> entries(Metadata metadata) {
        List<Entry> entries = new ArrayList<>();
        for (String name : metadata.keys()) {
            if (NEVER.contains(name)) {
                continue;
            }
            if (isBinary(name)) {
                values(metadata, binary(name)).forEach(value -> entries.add(new Entry(name, value)));
            } else {
                values(metadata, text(name))
                        .forEach(value -> entries.add(new Entry(name, value.getBytes(StandardCharsets.UTF_8))));
            }
        }
        return entries;
    }

    static Metadata of(List<Entry> entries) {
        Metadata metadata = new Metadata();
        for (Entry entry : entries) {
            if (isBinary(entry.name())) {
                metadata.put(binary(entry.name()), entry.value());
            } else {
                metadata.put(text(entry.name()), new String(entry.value(), StandardCharsets.UTF_8));
            }
        }
        return metadata;
    }

    private static <T> Iterable<T> values(Metadata metadata, Metadata.Key<T> key) {
        Iterable<T> values = metadata.getAll(key);
        return values == null ? List.of() : values;
    }

    private static boolean isBinary(String name) {
        return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
