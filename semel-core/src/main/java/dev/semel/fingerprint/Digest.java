package dev.semel.fingerprint;

/** A digest in the making, which takes bytes stretch by stretch. */
@FunctionalInterface
interface Digest {

    void update(byte[] bytes, int from, int length);
}
