/**
 * Fingerprints: what a request means, reduced to a digest that tells a retry from the misuse of a key.
 *
 * <p>{@link dev.semel.fingerprint.Parts} lists what counts, {@link dev.semel.fingerprint.BodyForm} decides how a body
 * counts ({@link dev.semel.fingerprint.CanonicalJson canonical JSON}, {@link dev.semel.fingerprint.BodyForm#fields(String...) some
 * fields of it}, or its bytes), and {@link dev.semel.fingerprint.Fingerprinter} digests the list.
 */
@NullMarked
package dev.semel.fingerprint;

import org.jspecify.annotations.NullMarked;
