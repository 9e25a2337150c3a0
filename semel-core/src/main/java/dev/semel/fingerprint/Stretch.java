package dev.semel.fingerprint;

import java.nio.charset.StandardCharsets;
import javax.crypto.Mac;

/** A stretch of a content: a value in canonical JSON, the selected fields of a body, or bytes without a structure. */
final class Stretch {

    /** What a stretch is made of. The tags are part of the format of outlines. */
    enum Shape {
        /** Without parts that have names or indexes. */
        PLAIN(0),
        OBJECT(1),
        ARRAY(2),
        /** Values at the JSON Pointers that a route has selected. */
        FIELDS(3);

        private final int tag;

        Shape(int tag) {
            this.tag = tag;
        }

        int tag() {
            return tag;
        }

        static Shape ofTag(int tag) {
            return switch (tag) {
                case 0 -> PLAIN;
                case 1 -> OBJECT;
                case 2 -> ARRAY;
                case 3 -> FIELDS;
                default -> throw new IllegalArgumentException("an outline has no shape " + tag);
            };
        }
    }

    /**
     * The longest container within another one that is looked into. Together with how few containers an outline has, it bounds
     * how often the bytes of one body are read.
     */
    private static final int LONGEST_INNER_CONTAINER = 64 << 10;

    private final Content.Kind kind;
    private final byte[] bytes;
    private final int from;
    private final int to;

    /**
     * Takes the array without copying it.
     *
     * @param kind of the content that it is a part of
     * @param bytes of the content, of which those between the two positions count
     */
    Stretch(Content.Kind kind, byte[] bytes, int from, int to) {
        this.kind = kind;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    Content.Kind kind() {
        return kind;
    }

    void digestInto(Mac keyed) {
        keyed.update(bytes, from, to - from);
    }

    Shape shape() {
        if (kind == Content.Kind.FIELDS) {
            return Shape.FIELDS;
        }
        if (kind != Content.Kind.JSON || (from > 0 && to - from > LONGEST_INNER_CONTAINER)) {
            return Shape.PLAIN;
        }
        return switch (bytes[from]) {
            case '{' -> Shape.OBJECT;
            case '[' -> Shape.ARRAY;
            default -> Shape.PLAIN;
        };
    }

    /** The members, elements or fields in the order in which they lie, which for names is that of their UTF-16 units. */
    Children children() {
        return new Children(this);
    }

    /** A walk over what a stretch is made of. */
    static final class Children {

        private static final int LENGTH_BYTES = 4;

        private final Shape shape;
        private final byte[] bytes;
        private final int end;
        private int next;
        private int index = -1;
        private String name = "";
        private Stretch value;

        private Children(Stretch whole) {
            shape = whole.shape();
            bytes = whole.bytes;
            boolean bracketed = shape != Shape.FIELDS;
            next = bracketed ? whole.from + 1 : whole.from;
            end = bracketed ? whole.to - 1 : whole.to;
            value = whole;
        }

        /** Moves on; false behind the last one. */
        boolean next() {
            if (shape == Shape.FIELDS) {
                return nextField();
            }
            if (next >= end) {
                return false;
            }
            index++;
            int at = bytes[next] == ',' ? next + 1 : next;
            if (shape == Shape.OBJECT) {
                int colon = endOfString(at);
                name = CanonicalText.of(bytes, at, colon);
                at = colon + 1;
            }
            next = endOfValue(at);
            value = new Stretch(Content.Kind.JSON, bytes, at, next);
            return true;
        }

        /** Fields lie as {@link SemanticFields} writes them: pointer, whether it leads to a value, and that. */
        private boolean nextField() {
            while (next < end) {
                int pointer = next + 1 + LENGTH_BYTES;
                int present = pointer + lengthAt(next + 1);
                String text = new String(bytes, pointer, present - pointer, StandardCharsets.UTF_8);
                if (bytes[present] == SemanticFields.MISSING) {
                    next = present + 1;
                    continue;
                }
                int at = present + 1 + LENGTH_BYTES;
                next = at + lengthAt(present + 1);
                name = text;
                value = new Stretch(Content.Kind.JSON, bytes, at, next);
                return true;
            }
            return false;
        }

        /** The name of a member, the pointer of a field; empty for an element. */
        String name() {
            return name;
        }

        Stretch value() {
            return value;
        }

        /** The pointer to the current value, given that to what it lies in. */
        String pointer(String parent) {
            return switch (shape) {
                case FIELDS -> name;
                case ARRAY -> parent + "/" + index;
                case OBJECT, PLAIN -> parent + Pointer.toMember(name).text();
            };
        }

        private int lengthAt(int at) {
            return (bytes[at] & 0xFF) << 24
                    | (bytes[at + 1] & 0xFF) << 16
                    | (bytes[at + 2] & 0xFF) << 8
                    | (bytes[at + 3] & 0xFF);
        }

        private int endOfString(int quote) {
            int at = quote + 1;
            while (bytes[at] != '"') {
                at += bytes[at] == '\\' ? 2 : 1;
            }
            return at + 1;
        }

        private int endOfValue(int from) {
            int depth = 0;
            int at = from;
            do {
                switch (bytes[at]) {
                    case '"' -> at = endOfString(at);
                    case '{', '[' -> {
                        depth++;
                        at++;
                    }
                    case '}', ']' -> {
                        depth--;
                        at++;
                    }
                    default -> at++;
                }
            } while (depth > 0 || !isBehindValue(at));
            return at;
        }

        private boolean isBehindValue(int at) {
            return at >= end || bytes[at] == ',' || bytes[at] == '}' || bytes[at] == ']';
        }
    }
}
