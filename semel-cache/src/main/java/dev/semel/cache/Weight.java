package dev.semel.cache;

import dev.semel.engine.NearCache;

/** How many bytes of memory an entry takes, about. */
final class Weight {

    /** The objects around the bytes and the place in the map, as measured with 200,000 entries on a 64-bit JDK 17. */
    static final int AROUND_BYTES = 430;

    private Weight() {}

    static long of(NearCache.Entry entry) {
        return AROUND_BYTES
                + characters(entry.identity().scope().value())
                + characters(entry.identity().key().value())
                + characters(entry.fingerprint().value())
                + entry.response().size();
    }

    /** Text beyond Latin-1 takes two bytes for a character. */
    private static long characters(String text) {
        return 2L * text.length();
    }
}
