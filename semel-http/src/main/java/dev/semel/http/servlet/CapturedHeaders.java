package dev.semel.http.servlet;

import dev.semel.http.Headers;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a handler has set, over those that filters before it had set on the container's response.
 *
 * <p>The container's response is passed as {@code outer}; {@code null} where it must no longer be used.
 */
final class CapturedHeaders {

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private static final class Entry {

        final String name;
        final List<String> values = new ArrayList<>();
        /** Whether these values replace what was there before the handler. */
        boolean replaces;

        Entry(String name) {
            this.name = name;
        }
    }

    void set(String name, @Nullable String value) {
        Entry entry = entry(name);
        entry.replaces = true;
        entry.values.clear();
        if (value != null) {
            entry.values.add(value);
        }
    }

    void add(String name, String value) {
        entry(name).values.add(value);
    }

    void clear() {
        entries.clear();
    }

    private Entry entry(String name) {
        return entries.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new Entry(name));
    }

    Collection<String> all(String name, @Nullable HttpServletResponse outer) {
        Entry entry = entries.get(name.toLowerCase(Locale.ROOT));
        boolean replaced = entry != null && entry.replaces;
        List<String> all = new ArrayList<>(outer == null || replaced ? List.of() : outer.getHeaders(name));
        if (entry != null) {
            all.addAll(entry.values);
        }
        return all;
    }

    Collection<String> names(@Nullable HttpServletResponse outer) {
        Set<String> names = new LinkedHashSet<>(outer == null ? Set.of() : outer.getHeaderNames());
        for (Entry entry : entries.values()) {
            names.removeIf(name -> name.equalsIgnoreCase(entry.name));
            if (!all(entry.name, outer).isEmpty()) {
                names.add(entry.name);
            }
        }
        return names;
    }

    /** The handler's own headers, with the media type where there is one. */
    Headers toHeaders(@Nullable String contentType) {
        List<Headers.Line> lines = new ArrayList<>(entries.size() + 1);
        for (Entry entry : entries.values()) {
            for (String value : entry.values) {
                lines.add(new Headers.Line(entry.name, value));
            }
        }
        if (contentType != null) {
            lines.add(new Headers.Line("Content-Type", contentType));
        }
        return new Headers(lines);
    }

    void applyTo(HttpServletResponse response) {
        for (Entry entry : entries.values()) {
            boolean replace = entry.replaces;
            if (replace && entry.values.isEmpty() && response.containsHeader(entry.name)) {
                response.setHeader(entry.name, null);
            }
            for (String value : entry.values) {
                if (replace) {
                    response.setHeader(entry.name, value);
                    replace = false;
                } else {
                    response.addHeader(entry.name, value);
                }
            }
        }
    }
}
