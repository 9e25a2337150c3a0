package dev.semel.fingerprint;

import dev.semel.Intent;
import dev.semel.Refusal;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * The list of what counts in a request: named contents, in the order in which they were added.
 *
 * <p>Every name and every content is preceded by its length before it is digested, so that no two lists run together:
 * {@code (a=bc)} and {@code (ab=c)} are different, and so are {@code (a=x, b=y)} and {@code (b=y, a=x)}.
 */
public final class Parts implements Intent.Details {

    private final List<Part> parts;

    private Parts(List<Part> parts) {
        this.parts = parts;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Has the list digested with each part framed: decodable, hence different for different lists. */
    void digestInto(Digest digest) {
        ByteSink collected = new ByteSink(256);
        for (Part part : parts) {
            Content.text(part.name()).digestInto(digest, collected);
            part.content().digestInto(digest, collected);
        }
        digest.update(collected.array(), 0, collected.size());
    }

    @Override
    public byte[] outline(Mac keyed, int mostBytes) {
        return OutlineWriter.write(parts, new ValueDigests(keyed), mostBytes);
    }

    @Override
    public Refusal.Mismatch differencesFrom(byte[] outline, Mac keyed) {
        return new OutlineComparison(new ValueDigests(keyed)).compare(outline, parts);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parts that && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        return parts.toString();
    }

    record Part(String name, Content content) {}

    /** Collects parts. */
    public static final class Builder {

        private final List<Part> parts = new ArrayList<>();

        private Builder() {}

        public Builder add(String name, Content content) {
            parts.add(new Part(name, content));
            return this;
        }

        public Builder add(String name, String text) {
            return add(name, Content.text(text));
        }

        public Builder add(String name, byte[] bytes) {
            return add(name, Content.raw(bytes));
        }

        /**
         * Adds a body: canonical JSON where the media type announces JSON in UTF-8, its bytes otherwise.
         *
         * @throws BodyLimitException when the body exceeds a limit
         */
        public Builder body(@Nullable String mediaType, byte[] body) {
            return body(BodyForm.byMediaType(), mediaType, body);
        }

        /**
         * Adds a body in a form of the caller's choice.
         *
         * @throws BodyLimitException when the body exceeds a limit
         */
        public Builder body(BodyForm form, @Nullable String mediaType, byte[] body) {
            return add("body", form.of(mediaType, body));
        }

        public Parts build() {
            return new Parts(List.copyOf(parts));
        }
    }
}
