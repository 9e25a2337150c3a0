package dev.semel.fingerprint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * One walk over a JSON document that writes its canonical form.
 *
 * <ol>
 *   <li>Values are written in the order in which they come, into one growing array.
 *   <li>When an object ends, its members, which are stretches of that array, are put into the order of their names.
 *       Sorting only permutes them, so that nothing outside the object moves.
 *   <li>When a value ends that a pointer leads to, its stretch is copied; it is final, since only what encloses it can
 *       still move it.
 * </ol>
 *
 * <p>Nesting is kept on a stack of our own, never on the thread's.
 */
final class CanonicalWriter {

    private static final Comparator<Member> BY_NAME = Comparator.comparing(Member::name);
    private static final int LONGEST_SELF_CANONICAL_INTEGER = 21;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final JsonLimits limits;
    private final ByteSink out;
    private final Map<Pointer, byte[]> selected = new HashMap<>();
    private final Deque<Container> open = new ArrayDeque<>();
    private Container current;

    CanonicalWriter(JsonLimits limits, PointerTree pointers, int sizeHint) {
        this.limits = limits;
        this.out = new ByteSink(sizeHint);
        this.current = new Container(Container.Kind.DOCUMENT, null);
        this.current.valueNode = pointers;
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    Map<Pointer, byte[]> selected() {
        return Map.copyOf(selected);
    }

    void copy(JsonParser parser) throws NotCanonicalException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            switch (token) {
                case START_OBJECT -> begin(Container.Kind.OBJECT, '{');
                case START_ARRAY -> begin(Container.Kind.ARRAY, '[');
                case PROPERTY_NAME -> beginMember(parser.currentName());
                case END_OBJECT -> {
                    sortMembers();
                    end('}');
                }
                case END_ARRAY -> end(']');
                default -> {
                    beginValue();
                    writeScalar(token, parser);
                    endValue();
                }
            }
        }
        if (current.values == 0) {
            throw new NotCanonicalException("it is empty");
        }
    }

    private void begin(Container.Kind kind, char bracket) throws NotCanonicalException {
        if (open.size() >= limits.maxDepth()) {
            throw BodyLimitException.depth(limits.maxDepth());
        }
        beginValue();
        open.push(current);
        current = new Container(kind, current.valueNode);
        out.write(bracket);
    }

    private void end(char bracket) {
        out.write(bracket);
        current = open.pop();
        endValue();
    }

    private void beginMember(String name) throws NotCanonicalException {
        if (current.values > 0) {
            out.write(',');
        }
        current.memberName = name;
        current.memberStart = out.size();
        writeString(name.toCharArray(), 0, name.length());
        out.write(':');
    }

    private void beginValue() throws NotCanonicalException {
        switch (current.kind) {
            case DOCUMENT -> {
                if (current.values > 0) {
                    throw new NotCanonicalException("something follows the JSON document");
                }
            }
            case ARRAY -> {
                if (current.values > 0) {
                    out.write(',');
                }
                current.valueNode = current.node == null ? null : current.node.child(String.valueOf(current.values));
            }
            case OBJECT -> current.valueNode = current.node == null ? null : current.node.child(current.memberName);
        }
        current.valueStart = out.size();
    }

    private void endValue() {
        current.values++;
        Pointer pointer = current.valueNode == null ? null : current.valueNode.pointer();
        if (pointer != null) {
            selected.put(pointer, out.copy(current.valueStart, out.size()));
        }
        if (current.kind == Container.Kind.OBJECT) {
            current.members.add(new Member(current.memberName, current.memberStart, out.size()));
        }
    }

    private void sortMembers() throws NotCanonicalException {
        List<Member> members = current.members;
        boolean sorted = true;
        for (int i = 1; i < members.size() && sorted; i++) {
            sorted = BY_NAME.compare(members.get(i - 1), members.get(i)) < 0;
        }
        if (sorted) {
            return;
        }
        int start = members.get(0).start();
        byte[] unsorted = out.copy(start, out.size());
        out.truncate(start);
        members.sort(BY_NAME);
        String previous = null;
        for (Member member : members) {
            if (member.name().equals(previous)) {
                throw new NotCanonicalException("an object has two members of one name");
            }
            if (previous != null) {
                out.write(',');
            }
            out.write(unsorted, member.start() - start, member.end() - member.start());
            previous = member.name();
        }
    }

    private void writeScalar(JsonToken token, JsonParser parser) throws NotCanonicalException {
        switch (token) {
            case VALUE_STRING ->
                writeString(parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> writeNumber(token, parser);
            case VALUE_TRUE -> out.writeAscii("true");
            case VALUE_FALSE -> out.writeAscii("false");
            case VALUE_NULL -> out.writeAscii("null");
            default -> throw new IllegalStateException("JSON text has no token " + token);
        }
    }

    private void writeNumber(JsonToken token, JsonParser parser) {
        int length = parser.getStringLength();
        if (length > limits.maxNumberLength()) {
            throw BodyLimitException.number(length, limits.maxNumberLength());
        }
        String text = parser.getString();
        boolean canonical =
                token == JsonToken.VALUE_NUMBER_INT && length <= LONGEST_SELF_CANONICAL_INTEGER && !text.equals("-0");
        out.writeAscii(canonical ? text : CanonicalNumber.of(text));
    }

    private void writeString(char[] chars, int offset, int length) throws NotCanonicalException {
        out.write('"');
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            char c = chars[i];
            if (c < 0x20) {
                writeControl(c);
            } else if (c == '"' || c == '\\') {
                out.write('\\').write(c);
            } else if (!Character.isSurrogate(c)) {
                out.writeUtf8(c);
            } else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(chars[i + 1])) {
                out.writeUtf8(Character.toCodePoint(c, chars[++i]));
            } else {
                throw new NotCanonicalException("a string has an unpaired surrogate");
            }
        }
        out.write('"');
    }

    private void writeControl(char c) {
        switch (c) {
            case '\b' -> out.writeAscii("\\b");
            case '\t' -> out.writeAscii("\\t");
            case '\n' -> out.writeAscii("\\n");
            case '\f' -> out.writeAscii("\\f");
            case '\r' -> out.writeAscii("\\r");
            default -> out.writeAscii("\\u00").write(HEX[c >> 4]).write(HEX[c & 0xF]);
        }
    }

    /** The stretch of the output that holds a member's name and value. */
    private record Member(String name, int start, int end) {}

    /** A document, array or object whose end is not yet reached, with the value in it that is being written. */
    private static final class Container {

        enum Kind {
            DOCUMENT,
            ARRAY,
            OBJECT
        }

        final Kind kind;
        final @Nullable PointerTree node;
        final List<Member> members = new ArrayList<>(0);
        int values;
        String memberName = "";
        int memberStart;
        int valueStart;

        @Nullable
        PointerTree valueNode;

        Container(Kind kind, @Nullable PointerTree node) {
            this.kind = kind;
            this.node = node;
        }
    }
}
