package dev.semel.http;

import java.util.Set;

/** The methods that have no effect to protect (RFC 9110, section 9.2.1; RFC 10008): they pass untouched everywhere. */
public final class SafeMethods {

    /** All of them. */
    public static final Set<String> ALL = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private SafeMethods() {}

    /** @param method as the client sent it; names of methods have a case */
    public static boolean contains(String method) {
        return ALL.contains(method);
    }
}
