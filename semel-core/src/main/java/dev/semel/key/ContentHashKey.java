package dev.semel.key;

import dev.semel.Key;
import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Parts;

/** The key {@code content:…}, a digest of method, path, query and body. */
final class ContentHashKey implements KeyStrategy {

    private final BodyForm form;

    ContentHashKey(BodyForm form) {
        this.form = form;
    }

    @Override
    public KeyResult resolve(KeyInput input) {
        Parts.Builder parts = Parts.builder();
        String method = input.method();
        if (method != null) {
            parts.add("method", method);
        }
        String path = input.path();
        if (path != null) {
            parts.add("path", path);
        }
        parts.add("query", input.query());
        try {
            parts.body(form, input.mediaType(), input.body());
        } catch (BodyLimitException e) {
            return new KeyResult.Invalid(String.valueOf(e.getMessage()));
        }
        return KeyResult.Found.derived(new Key("content:" + ComposedKey.digest(parts.build())));
    }
}
