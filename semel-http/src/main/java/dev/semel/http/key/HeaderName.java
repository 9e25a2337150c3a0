package dev.semel.http.key;

import java.util.regex.Pattern;

/** The rule for names of headers in configuration. */
final class HeaderName {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private HeaderName() {}

    static String required(String name) {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "not a header name: \"" + name + "\"; letters, digits and '-' are, such as \"Idempotency-Key\"");
        }
        return name;
    }
}
