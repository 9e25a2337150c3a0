package dev.semel.http.jdk;

import dev.semel.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Headers between the JDK's map and the protocol's lines. */
final class HeaderLines {

    private HeaderLines() {}

    static Headers of(Map<String, List<String>> headers) {
        List<Headers.Line> lines = new ArrayList<>();
        headers.forEach((name, values) -> values.forEach(value -> lines.add(new Headers.Line(name, value))));
        return new Headers(lines);
    }

    /**
     * What a handler has added to or changed in the headers that earlier filters had set. Those stay out of the record: the
     * filters set them again on a replay.
     */
    static Headers added(Map<String, List<String>> before, Map<String, List<String>> after) {
        List<Headers.Line> lines = new ArrayList<>();
        after.forEach((name, values) -> {
            List<String> earlier = before.getOrDefault(name, List.of());
            boolean appended = values.size() >= earlier.size()
                    && values.subList(0, earlier.size()).equals(earlier);
            List<String> own = appended ? values.subList(earlier.size(), values.size()) : values;
            own.forEach(value -> lines.add(new Headers.Line(name, value)));
        });
        return new Headers(lines);
    }

    static void copy(com.sun.net.httpserver.Headers from, com.sun.net.httpserver.Headers to) {
        to.clear();
        from.forEach((name, values) -> to.put(name, new ArrayList<>(values)));
    }
}
