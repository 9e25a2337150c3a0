package dev.semel.server.gateway.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Whom a key belongs to, and how that is known. There is no default: a guess would make tenants meet. */
public sealed interface ScopeConfig {

    /** The choices, in one line. */
    String CHOICES = "shared (one owner for all keys), header:NAME (set by a proxy of --trust-proxy),"
            + " jwt:CLAIM (with --jwks FILE|URL), mtls (the client's certificate), api-key:NAME (a header, hashed)";

    /** All keys belong to one owner. */
    record Shared() implements ScopeConfig {}

    /** The value of a header that a trusted proxy sets. */
    record Header(String name) implements ScopeConfig {}

    /** A claim of a bearer token whose signature is verified. */
    record Jwt(String claim) implements ScopeConfig {}

    /** The subject of the client's certificate. */
    record Mtls() implements ScopeConfig {}

    /** The hash of a credential in a header, which the service itself verifies. */
    record ApiKey(String name) implements ScopeConfig {}

    /**
     * Understands {@code shared}, {@code header:X-Account}, {@code jwt:sub}, {@code mtls} and {@code api-key:X-Api-Key}.
     *
     * @throws IllegalArgumentException when it is none of them
     */
    static ScopeConfig parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind.toLowerCase(Locale.ROOT)) {
            case "shared" -> plain(text, name, new Shared());
            case "mtls" -> plain(text, name, new Mtls());
            case "header" -> new Header(Names.header(text, name));
            case "api-key" -> new ApiKey(Names.header(text, name));
            case "jwt" -> new Jwt(Names.present(text, name));
            default -> throw wrong(text);
        };
    }

    private static ScopeConfig plain(String text, String name, ScopeConfig scope) {
        if (!name.isEmpty()) {
            throw wrong(text);
        }
        return scope;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("scope '" + text + "' is none of: " + CHOICES);
    }

    /** The names within a scope. */
    final class Names {

        private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

        private Names() {}

        private static String header(String text, String name) {
            if (!HEADER.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "scope '" + text + "' needs the name of a header, as in header:X-Account");
            }
            return name;
        }

        private static String present(String text, String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("scope '" + text + "' needs the name of a claim, as in jwt:sub");
            }
            return name;
        }
    }
}
