package dev.semel.fingerprint;

import java.util.Collection;
import java.util.stream.Stream;
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

    /**
     * The fields of a JSON body at these JSON Pointers, in any order, so that a changed timestamp or trace id does not make
     * a retry another request. A body that is not JSON in UTF-8, by its media type or by its bytes, counts as a whole.
     *
     * @throws IllegalArgumentException when no field is named, or a text is not a JSON Pointer
     */
    static BodyForm fields(String... pointers) {
        return fields(
                CanonicalJson.standard(), Stream.of(pointers).map(Pointer::of).toList());
    }

    /**
     * The fields of a JSON body at these pointers, as in {@link #fields(String...)}.
     *
     * @throws IllegalArgumentException when no field is named: then every two bodies would be equal
     */
    static BodyForm fields(CanonicalJson json, Collection<Pointer> pointers) {
        return new SemanticFields(json, pointers);
    }

    /** The bytes as they are. */
    static BodyForm raw() {
        return (mediaType, body) -> Content.raw(body);
    }
}
