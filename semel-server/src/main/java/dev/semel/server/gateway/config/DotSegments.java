package dev.semel.server.gateway.config;

import java.net.URI;
import java.util.Arrays;

/**
 * The segments {@code .} and {@code ..} of a path, which servers and proxies resolve, many of them also encoded ones: behind
 * them lies another resource than the one that a URL seems to name.
 */
public final class DotSegments {

    private DotSegments() {}

    /** Whether the path has one, as it is or encoded. */
    public static boolean in(URI url) {
        String path = url.getPath() == null ? "" : url.getPath();
        return Arrays.stream(path.split("[/\\\\]", -1))
                .anyMatch(segment -> segment.equals(".") || segment.equals(".."));
    }
}
