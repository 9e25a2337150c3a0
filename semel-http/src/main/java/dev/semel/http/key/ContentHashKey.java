package dev.semel.http.key;

import dev.semel.Key;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;

/**
 * The key {@code content:v1:…}: the fingerprint of what is sent, by SHA-256.
 *
 * <p>It carries the fingerprint's version. A release that counts other parts derives other keys.
 */
final class ContentHashKey implements KeyStrategy {

    @Override
    public KeyResult resolve(KeyInput input) {
        try {
            return KeyResult.Found.derived(
                    new Key("content:" + Fingerprinter.sha256().of(input.parts())));
        } catch (BodyLimitException e) {
            return new KeyResult.Invalid(String.valueOf(e.getMessage()));
        }
    }
}
