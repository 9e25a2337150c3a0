package dev.semel.fingerprint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The coding of a body, as {@code Content-Encoding} names it.
 *
 * <p>The coding itself counts in a fingerprint, because a handler that does not decode reads other bytes. JSON in one
 * coding that is known here ({@code gzip}, {@code deflate}) counts by its meaning, so that a retry may be compressed
 * anew. Every other coded body counts by its bytes: several codings, an unknown one, a damaged stream, anything behind
 * the stream's end, a stream that grows too much.
 */
public final class ContentCoding {

    private static final ContentCoding IDENTITY = new ContentCoding(List.of());

    private final List<String> codings;

    private ContentCoding(List<String> codings) {
        this.codings = codings;
    }

    /**
     * Reads the values of {@code Content-Encoding}, one for each time it was sent. {@code identity} says nothing, and
     * {@code x-gzip} is {@code gzip} (RFC 9110, section 8.4.1).
     */
    public static ContentCoding of(List<String> fieldValues) {
        if (fieldValues.isEmpty()) {
            return IDENTITY;
        }
        List<String> codings = new ArrayList<>();
        for (String value : fieldValues) {
            for (String element : value.split(",", -1)) {
                String coding = element.strip().toLowerCase(Locale.ROOT);
                if (!coding.isEmpty() && !coding.equals("identity")) {
                    codings.add(coding.equals("x-gzip") ? "gzip" : coding);
                }
            }
        }
        return codings.isEmpty() ? IDENTITY : new ContentCoding(List.copyOf(codings));
    }

    /** Whether the body is sent as it is. */
    public boolean isIdentity() {
        return codings.isEmpty();
    }

    /** The codings in lower case, in the order in which they were applied, separated by commas. */
    public String name() {
        return String.join(",", codings);
    }

    /**
     * The body before it was coded, or nothing where it cannot be told within the limit; the body itself where it has no
     * coding.
     *
     * @param mostBytes how long a decoded body may be at most; one that grows a hundredfold is given up earlier
     */
    public Optional<byte[]> decode(byte[] body, int mostBytes) {
        if (isIdentity()) {
            return Optional.of(body);
        }
        return switch (name()) {
            case "gzip" -> Compressed.gzip(body, mostBytes);
            case "deflate" -> Compressed.zlib(body, mostBytes);
            default -> Optional.empty();
        };
    }

    /**
     * Reduces a body in this coding to what of it counts, beside the {@linkplain #name name} of the coding.
     *
     * @param mostBytes how long the decoded body may be at most
     * @throws BodyLimitException when the body exceeds a limit of the form
     */
    public Content read(BodyForm form, @Nullable String mediaType, byte[] body, int mostBytes) {
        if (isIdentity()) {
            return form.of(mediaType, body);
        }
        if (MediaType.isUtf8Json(mediaType)) {
            Optional<Content> meaning = decode(body, mostBytes).map(decoded -> form.of(mediaType, decoded));
            // JSON without a single meaning counts by the bytes that were sent: others may decode to the same.
            if (meaning.isPresent() && !meaning.get().isRaw()) {
                return meaning.get();
            }
        }
        return Content.raw(body);
    }

    @Override
    public String toString() {
        return isIdentity() ? "identity" : name();
    }
}
