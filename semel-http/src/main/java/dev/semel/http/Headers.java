package dev.semel.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Header lines in the order in which they were sent; a name may occur more than once and is found in any case. */
public record Headers(List<Line> lines) implements Iterable<Headers.Line> {

    /** No headers. */
    public static final Headers NONE = new Headers(List.of());

    /** One header line. */
    public record Line(String name, String value) {}

    public Headers {
        lines = List.copyOf(lines);
    }

    public static Headers of(String name, String value) {
        return NONE.with(name, value);
    }

    /** These headers and one more line. */
    public Headers with(String name, String value) {
        Line[] more = lines.toArray(new Line[lines.size() + 1]);
        more[lines.size()] = new Line(name, value);
        return new Headers(List.of(more));
    }

    /** These headers, and then those. */
    public Headers and(Headers more) {
        if (more.lines.isEmpty()) {
            return this;
        }
        if (lines.isEmpty()) {
            return more;
        }
        List<Line> all = new ArrayList<>(lines.size() + more.lines.size());
        all.addAll(lines);
        all.addAll(more.lines);
        return new Headers(all);
    }

    /** These headers without any line of this name. */
    public Headers without(String name) {
        return new Headers(lines.stream()
                .filter(line -> !line.name().equalsIgnoreCase(name))
                .toList());
    }

    /** These headers with those, which take the place of lines by the same names. */
    public Headers replacedBy(Headers others) {
        List<Line> all = new ArrayList<>(lines.size() + others.lines.size());
        for (Line line : lines) {
            if (!others.has(line.name())) {
                all.add(line);
            }
        }
        all.addAll(others.lines);
        return new Headers(all);
    }

    private boolean has(String name) {
        for (Line line : lines) {
            if (line.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** Every value of a header, one for each line. */
    public List<String> all(String name) {
        List<String> values = List.of();
        for (Line line : lines) {
            if (line.name().equalsIgnoreCase(name)) {
                values = values.isEmpty() ? List.of(line.value()) : plus(values, line.value());
            }
        }
        return values;
    }

    private static List<String> plus(List<String> values, String value) {
        List<String> more = new ArrayList<>(values);
        more.add(value);
        return List.copyOf(more);
    }

    public Optional<String> first(String name) {
        for (Line line : lines) {
            if (line.name().equalsIgnoreCase(name)) {
                return Optional.of(line.value());
            }
        }
        return Optional.empty();
    }

    @Override
    public Iterator<Line> iterator() {
        return lines.iterator();
    }

    /** Names only: values can be secrets. */
    @Override
    public String toString() {
        return lines.stream().map(Line::name).toList().toString();
    }
}
