package dev.semel.fingerprint;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body of which only the named JSON fields count, so that a changed timestamp or trace id does not make a
 * retry another request.
 *
 * <p>Fields are named by JSON Pointers, in any order. A field that is missing differs from one that is {@code null}. A
 * body that is not JSON in UTF-8, by its media type or by its bytes, counts as a whole.
 */
final class SemanticFields implements BodyForm {

    static final int MISSING = 0;
    private static final int PRESENT = 1;

    private final CanonicalJson json;
    private final List<Pointer> pointers;

    /**
     * Names the fields that count.
     *
     * @throws IllegalArgumentException when no field is named: then every two bodies would be equal
     */
    SemanticFields(CanonicalJson json, Collection<Pointer> pointers) {
        if (pointers.isEmpty()) {
            throw new IllegalArgumentException("semantic fields: name at least one field, such as \"/amount\"");
        }
        this.json = json;
        this.pointers = pointers.stream()
                .distinct()
                .sorted(Comparator.comparing(Pointer::text))
                .toList();
    }

    @Override
    public Content of(@Nullable String mediaType, byte[] body) {
        if (mediaType != null && !MediaType.isUtf8Json(mediaType)) {
            return Content.raw(body);
        }
        return json.select(body, pointers)
                .map(values -> Content.fields(encoded(values)))
                .orElseGet(() -> Content.raw(body));
    }

    private ByteSink encoded(Map<Pointer, byte[]> values) {
        ByteSink sink = new ByteSink(64 * pointers.size());
        for (Pointer pointer : pointers) {
            Content.text(pointer.text()).writeTo(sink);
            byte[] value = values.get(pointer);
            if (value == null) {
                sink.write(MISSING);
            } else {
                sink.write(PRESENT).writeLength(value.length).write(value, 0, value.length);
            }
        }
        return sink;
    }
}
