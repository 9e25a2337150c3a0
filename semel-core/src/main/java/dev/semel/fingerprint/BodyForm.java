package dev.semel.fingerprint;

import org.jspecify.annotations.Nullable;

/**
 * How a body counts in a fingerprint.
 *
 * <p>A transport that can read a kind of body, such as a form or a multipart message, supplies its own form here.
 */
@FunctionalInterface
public interface BodyForm {

    /**
     * Reduces a body to what of it counts.
     *
     * @param mediaType the value of {@code Content-Type}, where there is one
     * @throws BodyLimitException when the body exceeds a limit
     */
    Content of(@Nullable String mediaType, byte[] body);

    /** Canonical JSON where the media type announces JSON in UTF-8, the bytes otherwise. */
    static BodyForm byMediaType() {
        return byMediaType(CanonicalJson.standard());
    }

    /** Canonical JSON where the media type announces JSON in UTF-8, the bytes otherwise. */
    static BodyForm byMediaType(CanonicalJson json) {
        BodyForm canonical = json(json);
        return (mediaType, body) -> MediaType.isUtf8Json(mediaType) ? canonical.of(mediaType, body) : Content.raw(body);
    }

    /** Canonical JSON whenever the body is JSON, for messages and other bodies without a media type. */
    static BodyForm json(CanonicalJson json) {
        return (mediaType, body) ->
                json.of(body) instanceof Canonical.Json canonical ? canonical.content() : Content.raw(body);
    }

    /** The bytes as they are. */
    static BodyForm raw() {
        return (mediaType, body) -> Content.raw(body);
    }
}
