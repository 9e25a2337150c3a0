package dev.semel.benchmarks.http;

import org.jspecify.annotations.Nullable;

/** Keys and the responses that were given under them, as a {@link HandWrittenFilter} keeps them. */
interface KeyTable extends AutoCloseable {

    /** A response without its headers, as most articles keep it. */
    final class Saved {

        private final int status;
        private final String contentType;
        private final byte[] body;

        Saved(int status, String contentType, byte[] body) {
            this.status = status;
            this.contentType = contentType;
            this.body = body;
        }

        int status() {
            return status;
        }

        String contentType() {
            return contentType;
        }

        byte[] body() {
            return body;
        }
    }

    /** Whether this key is new. */
    boolean insert(String key);

    void update(String key, Saved response);

    /** The response to this key; null while there is none. */
    @Nullable
    Saved find(String key);

    @Override
    void close();
}
