package dev.semel.fingerprint;

/** What became of a body that was read as JSON. */
public sealed interface Canonical {

    /** The body is JSON with one meaning, and these are the canonical bytes of it. */
    record Json(byte[] bytes) implements Canonical {}

    /**
     * The body has no canonical form, so that only its bytes can be compared.
     *
     * @param reason why, without anything of the body
     */
    record Opaque(String reason) implements Canonical {}
}
