package dev.semel.fingerprint;

/** A digest in the making, which takes bytes stretch by stretch. */
@FunctionalInterface
interface Digest {

    void update(byte[] bytes, int from, int length);

    default void update(byte[] bytes) {
        update(bytes, 0, bytes.length);
    }
}
