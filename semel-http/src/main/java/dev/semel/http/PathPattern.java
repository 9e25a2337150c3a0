package dev.semel.http;

import java.util.List;

/**
 * A pattern of paths: {@code /payments} is that path, {@code *} in the place of a segment stands for any one segment, as
 * in {@code /payments/*}, {@code /payments/**} is that path and everything below it, and {@code *} alone, like
 * {@code /**}, is every path.
 */
public final class PathPattern {

    private final String text;
    private final List<String> segments;
    private final boolean andBelow;

    private PathPattern(String text, List<String> segments, boolean andBelow) {
        this.text = text;
        this.segments = segments;
        this.andBelow = andBelow;
    }

    /**
     * Understands a pattern.
     *
     * @throws IllegalArgumentException when the text is no pattern
     */
    public static PathPattern of(String text) {
        if (text.equals("*")) {
            return new PathPattern(text, List.of(), true);
        }
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path pattern \"" + text
                    + "\": begin with a slash, as in \"/payments/*\", or use \"*\" for every path");
        }
        boolean andBelow = text.endsWith("/**");
        List<String> segments = segments(andBelow ? text.substring(0, text.length() - 3) : text);
        for (String segment : segments) {
            if (segment.contains("*") && !segment.equals("*")) {
                throw new IllegalArgumentException("path pattern \"" + text
                        + "\": \"*\" stands for one whole segment, and \"**\" only at the end for all that follow");
            }
            if (segment.startsWith("{") || segment.contains("?") || segment.contains(";")) {
                throw new IllegalArgumentException("path pattern \"" + text + "\": \"" + segment
                        + "\" would be taken literally; \"*\" stands for any one segment");
            }
        }
        return new PathPattern(text, segments, andBelow);
    }

    /** Whether a path matches, as {@link RequestView#routingPath} has it. */
    public boolean matches(String routingPath) {
        int at = nextSegment(routingPath, 0);
        for (String expected : segments) {
            if (at == routingPath.length()) {
                return false;
            }
            int end = endOfSegment(routingPath, at);
            if (!expected.equals("*") && (end - at != expected.length() || !routingPath.startsWith(expected, at))) {
                return false;
            }
            at = nextSegment(routingPath, end);
        }
        return andBelow || at == routingPath.length();
    }

    /** Whether there is a path that both patterns match. */
    boolean meets(PathPattern other) {
        int common = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < common; i++) {
            String one = segments.get(i);
            String two = other.segments.get(i);
            if (!one.equals(two) && !one.equals("*") && !two.equals("*")) {
                return false;
            }
        }
        return (segments.size() == common || other.andBelow) && (other.segments.size() == common || andBelow);
    }

    /** Whether it matches every path that the other one does. */
    boolean covers(PathPattern other) {
        if (segments.size() > other.segments.size()
                || (!andBelow && (other.andBelow || segments.size() != other.segments.size()))) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).equals("*") && !segments.get(i).equals(other.segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static int nextSegment(String path, int from) {
        int at = from;
        while (at < path.length() && path.charAt(at) == '/') {
            at++;
        }
        return at;
    }

    private static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/")).stream().filter(s -> !s.isEmpty()).toList();
    }

    @Override
    public String toString() {
        return text;
    }
}
