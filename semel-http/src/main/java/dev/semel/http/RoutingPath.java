package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The path that routes are matched against. It rather matches too much than too little: path parameters, escapes, empty
 * segments, dot segments and a trailing slash make no difference, since applications differ in how they treat them.
 */
final class RoutingPath {

    private static final char FIRST_NOT_ASCII = 0x80;

    private RoutingPath() {}

    /** The routing path of a path as it was received. */
    static String of(String received) {
        if (isLiteral(received)) {
            return simplified(received);
        }
        StringBuilder decoded = new StringBuilder();
        for (String segment : received.split("/", -1)) {
            int parameters = segment.indexOf(';');
            String bare = parameters < 0 ? segment : segment.substring(0, parameters);
            decoded.append('/').append(new String(PercentCoding.decode(bare), StandardCharsets.UTF_8));
        }
        return simplified(decoded.toString());
    }

    /** Whether there is nothing to decode, which is the most frequent case. */
    private static boolean isLiteral(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%' || c == ';' || c >= FIRST_NOT_ASCII) {
                return false;
            }
        }
        return true;
    }

    /** A decoded path without empty and dot segments. */
    static String simplified(String decoded) {
        if (isSimple(decoded)) {
            return decoded;
        }
        Deque<String> kept = new ArrayDeque<>();
        for (String segment : decoded.split("/", -1)) {
            if (segment.equals("..")) {
                kept.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                kept.addLast(segment);
            }
        }
        return "/" + String.join("/", kept);
    }

    /** Whether a path has no segment that could be left out, which is the most frequent case. */
    private static boolean isSimple(String path) {
        if (!path.startsWith("/") || (path.endsWith("/") && path.length() > 1)) {
            return false;
        }
        return !path.contains("//") && !path.contains("/.");
    }
}
