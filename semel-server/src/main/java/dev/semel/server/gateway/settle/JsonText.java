package dev.semel.server.gateway.settle;

import dev.semel.fingerprint.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads names from JSON: texts, and integers, which many services use as ids. */
final class JsonText {

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

    /** As long as a key may be. */
    private static final int LONGEST = 255;

    private JsonText() {}

    /** @param canonical the value; null when there is none */
    static Optional<String> of(byte @Nullable [] canonical) {
        if (canonical == null) {
            return Optional.empty();
        }
        String text = new String(canonical, StandardCharsets.UTF_8);
        String name = text.startsWith("\"")
                ? CanonicalJson.text(canonical)
                : INTEGER.matcher(text).matches() ? text : "";
        return name.isEmpty() || name.length() > LONGEST ? Optional.empty() : Optional.of(name);
    }
}
