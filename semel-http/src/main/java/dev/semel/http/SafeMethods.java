package dev.semel.http;

import java.util.Set;

/** The methods that have no effect to protect (RFC 9110, section 9.2.1; RFC 10008): they pass untouched everywhere. */
public final class SafeMethods {

    /** All of them. */
    public static final Set<String> ALL = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private SafeMethods() {}

    /** Whether a method is safe; names of methods are compared with their case. */
    public static boolean contains(String method) {
        return ALL.contains(method);
    }
}
