package dev.semel.fingerprint;

import dev.semel.Refusal.Mismatch;
import dev.semel.Refusal.Mismatch.Difference;
import dev.semel.Refusal.Mismatch.Kind;
import dev.semel.fingerprint.Stretch.Shape;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a request with the outline of another one: which values differ, by their pointers.
 *
 * <p>Members are compared by their names and elements by their indexes. A container that only one of the two has is named
 * itself, not with all that it holds; so is one that the outline has as one digest.
 */
final class OutlineComparison {

    /** Enough to see what is wrong with a client; a request that differs in more is another request. */
    private static final int MOST_DIFFERENCES = 20;

    /** The longest pointer in an answer, in UTF-16 units: names in a request can be as long as the request. */
    private static final int LONGEST_POINTER = 255;

    private final ValueDigests digests;
    private final Set<Difference> differences = new LinkedHashSet<>();

    OutlineComparison(ValueDigests digests) {
        this.digests = digests;
    }

    /** Returns the differences; none where the outline has a format that this release does not know. */
    Mismatch compare(byte[] outline, List<Parts.Part> parts) {
        ByteBuffer in = ByteBuffer.wrap(outline);
        if (!in.hasRemaining() || in.get() != OutlineWriter.VERSION) {
            return new Mismatch();
        }
        Map<Occurrence, Outlined> before = readParts(in);
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (Parts.Part part : parts) {
            Outlined outlined = before.remove(new Occurrence(part.name(), seen.merge(part.name(), 1, Integer::sum)));
            if (outlined == null) {
                report(part.name(), null, Kind.ADDED);
            } else {
                Stretch value = part.content().stretch();
                compare(part.name(), value.kind() == Content.Kind.JSON ? "" : null, outlined, value);
            }
        }
        before.keySet().forEach(missing -> report(missing.part(), null, Kind.MISSING));
        List<Difference> found = List.copyOf(differences);
        return found.size() <= MOST_DIFFERENCES
                ? new Mismatch(found, false)
                : new Mismatch(found.subList(0, MOST_DIFFERENCES), true);
    }

    private boolean isFull() {
        return differences.size() > MOST_DIFFERENCES;
    }

    private void report(String part, @Nullable String pointer, Kind kind) {
        if (!isFull()) {
            differences.add(new Difference(part, pointer, kind));
        }
    }

    private void compare(String part, @Nullable String pointer, Outlined before, Stretch now) {
        String place = pointer == null ? "" : pointer;
        boolean equal = before.shape() == Shape.PLAIN
                ? before.digest() == digests.of(part, place, now)
                : before.shape() == now.shape();
        if (!equal) {
            report(part, pointer, Kind.CHANGED);
        } else if (before.shape() == Shape.ARRAY) {
            compareElements(part, place, before.children(), now.children());
        } else if (before.shape() != Shape.PLAIN) {
            compareMembers(part, pointer, before.children(), now.children());
        }
    }

    private void compareElements(String part, String parent, List<Child> before, Stretch.Children now) {
        int index = 0;
        while (now.next() && !isFull()) {
            if (index < before.size()) {
                compare(part, now.pointer(parent), before.get(index).node(), now.value());
            } else {
                report(part, now.pointer(parent), Kind.ADDED);
            }
            index++;
        }
        for (; index < before.size(); index++) {
            report(part, parent + "/" + index, Kind.MISSING);
        }
    }

    /** Both have their members in the order of their names. */
    private void compareMembers(String part, @Nullable String parent, List<Child> before, Stretch.Children now) {
        boolean more = now.next();
        for (Child child : before) {
            while (more && !isFull() && now.name().compareTo(child.name()) < 0) {
                reportMember(part, parent, now.name(), Kind.ADDED);
                more = now.next();
            }
            if (more && now.name().equals(child.name())) {
                compare(part, pointer(parent, now.name()), child.node(), now.value());
                more = now.next();
            } else {
                reportMember(part, parent, child.name(), Kind.MISSING);
            }
        }
        while (more && !isFull()) {
            reportMember(part, parent, now.name(), Kind.ADDED);
            more = now.next();
        }
    }

    private void reportMember(String part, @Nullable String parent, String name, Kind kind) {
        String pointer = pointer(parent, name);
        if (pointer.length() <= LONGEST_POINTER) {
            report(part, pointer, kind);
        } else {
            report(part, parent, Kind.CHANGED);
        }
    }

    /** Selected fields have no parent: their names are pointers. */
    private static String pointer(@Nullable String parent, String name) {
        return parent == null ? name : parent + Pointer.toMember(name).text();
    }

    /** A part that a request has several times, such as a header with several lines. */
    private record Occurrence(String part, int number) {}

    private record Outlined(Shape shape, int digest, List<Child> children) {}

    private record Child(String name, Outlined node) {}

    private static Map<Occurrence, Outlined> readParts(ByteBuffer in) {
        Map<Occurrence, Outlined> parts = new LinkedHashMap<>();
        for (int left = readLength(in); left > 0; left--) {
            int known = in.get();
            String name = known == 0 ? readName(in) : OutlineWriter.KNOWN_PARTS.get(known - 1);
            int number = 1;
            while (parts.containsKey(new Occurrence(name, number))) {
                number++;
            }
            parts.put(new Occurrence(name, number), readNode(in));
        }
        return parts;
    }

    private static Outlined readNode(ByteBuffer in) {
        Shape shape = Shape.ofTag(in.get());
        if (shape == Shape.PLAIN) {
            int digest = (in.get() & 0xFF) << 16 | (in.get() & 0xFF) << 8 | (in.get() & 0xFF);
            return new Outlined(shape, digest, List.of());
        }
        List<Child> children = new ArrayList<>();
        for (int left = readLength(in); left > 0; left--) {
            children.add(new Child(shape == Shape.ARRAY ? "" : readName(in), readNode(in)));
        }
        return new Outlined(shape, 0, children);
    }

    private static String readName(ByteBuffer in) {
        byte[] name = new byte[readLength(in)];
        in.get(name);
        return new String(name, StandardCharsets.UTF_8);
    }

    private static int readLength(ByteBuffer in) {
        int first = in.get();
        return first >= 0 ? first : (first & 0x7F) << 8 | (in.get() & 0xFF);
    }
}
