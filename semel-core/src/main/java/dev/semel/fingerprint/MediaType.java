package dev.semel.fingerprint;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the name of a media type tells about a body. */
public final class MediaType {

    private MediaType() {}

    /** Whether a {@code Content-Type} announces JSON: {@code application/json} or {@code application/…+json}. */
    public static boolean isJson(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        int parameters = contentType.indexOf(';');
        String type = (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
        return type.equals("application/json") || (type.startsWith("application/") && type.endsWith("+json"));
    }
}
