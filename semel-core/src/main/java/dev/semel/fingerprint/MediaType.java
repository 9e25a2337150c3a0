package dev.semel.fingerprint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a media type tells about a body. */
public final class MediaType {

    private static final Set<String> UTF_8 = Set.of("utf-8", "utf8");

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

    /**
     * Whether a {@code Content-Type} announces JSON in UTF-8, which is what JSON is in unless the sender says otherwise.
     * The meaning of JSON in another character set is not looked for: {@code é} there is not the {@code é} that the
     * bytes are in UTF-8.
     */
    public static boolean isUtf8Json(@Nullable String contentType) {
        return contentType != null && isJson(contentType) && charsetOtherThanUtf8(contentType) == null;
    }

    /** The character set that a {@code Content-Type} names, in lower case, where that is not UTF-8. */
    public static @Nullable String charsetOtherThanUtf8(String contentType) {
        for (String parameter : parameters(contentType)) {
            int equals = parameter.indexOf('=');
            if (equals > 0 && parameter.substring(0, equals).strip().equalsIgnoreCase("charset")) {
                String charset =
                        unquoted(parameter.substring(equals + 1).strip()).toLowerCase(Locale.ROOT);
                if (!UTF_8.contains(charset)) {
                    return charset;
                }
            }
        }
        return null;
    }

    /** What stands between semicolons, except those within quotes. */
    private static List<String> parameters(String contentType) {
        List<String> parameters = new ArrayList<>();
        boolean quoted = false;
        int start = contentType.indexOf(';') + 1;
        if (start == 0) {
            return parameters;
        }
        for (int at = start; at < contentType.length(); at++) {
            char c = contentType.charAt(at);
            if (quoted && c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                parameters.add(contentType.substring(start, at));
                start = at + 1;
            }
        }
        parameters.add(contentType.substring(start));
        return parameters;
    }

    /** Without the quotes; some senders use single ones, which servers understand. */
    private static String unquoted(String value) {
        int last = value.length() - 1;
        boolean quoted = last > 0
                && value.charAt(0) == value.charAt(last)
                && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return quoted ? value.substring(1, last).replaceAll("\\\\(.)", "$1") : value;
    }
}
