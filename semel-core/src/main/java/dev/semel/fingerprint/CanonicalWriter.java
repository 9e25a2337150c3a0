package dev.semel.fingerprint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One walk over a JSON document that writes its canonical form.
 *
 * <ol>
 *   <li>Values are written in the order in which they come, into one growing array.
 *   <li>When an object ends whose names did not come in order, its members, which are stretches of that array, are put
 *       into it. Sorting only permutes them, so that nothing outside the object moves.
 *   <li>When a value ends that a pointer leads to, its stretch is copied; it is final, since only what encloses it can
 *       still move it.
 * </ol>
 *
 * <p>Nesting is kept on a stack of our own, never on the thread's. Nothing is allocated for a value or a name, so that a
 * document costs little more memory than its canonical form has bytes.
 */
final class CanonicalWriter {

    private final CanonicalJson.Limits limits;
    private final JsonReader in;
    private final ByteSink out;
    private final CanonicalNumber number;
    private final Members members;
    private final Map<Pointer, byte[]> selected;
    private final List<Container> levels = new ArrayList<>();
    private int depth;
    private Container current;

    CanonicalWriter(CanonicalJson.Limits limits, @Nullable PointerTree pointers, byte[] body) {
        this.limits = limits;
        this.in = new JsonReader(body);
        this.out = new ByteSink(body.length);
        this.number = new CanonicalNumber(body, out);
        this.members = new Members(out);
        this.selected = pointers == null ? Map.of() : new HashMap<>();
        this.current = new Container();
        this.current.begin(Container.Kind.DOCUMENT, null, 0);
        this.current.valueNode = pointers;
        this.levels.add(current);
    }

    ByteSink written() {
        return out;
    }

    Map<Pointer, byte[]> selected() {
        return Map.copyOf(selected);
    }

    void copy() throws NotCanonicalException {
        if (in.peek() == JsonReader.END) {
            throw new NotCanonicalException("it is empty");
        }
        do {
            beginValue();
            switch (in.peek()) {
                case '{' -> begin(Container.Kind.OBJECT, '{');
                case '[' -> begin(Container.Kind.ARRAY, '[');
                default -> {
                    copyScalar();
                    endValue();
                }
            }
        } while (findNextValue());
    }

    /** Moves to the next value, over the ends of containers and over a member's name; false at the document's end. */
    private boolean findNextValue() throws NotCanonicalException {
        while (true) {
            int next = in.peek();
            switch (current.kind) {
                case DOCUMENT -> {
                    if (next != JsonReader.END) {
                        throw new NotCanonicalException("something follows the JSON document");
                    }
                    return false;
                }
                case ARRAY -> {
                    if (next != ']') {
                        separate();
                        return true;
                    }
                    end(']');
                }
                case OBJECT -> {
                    if (next != '}') {
                        separate();
                        copyName();
                        return true;
                    }
                    if (!current.sorted) {
                        members.sort(current.firstMember);
                    }
                    members.truncate(current.firstMember);
                    end('}');
                }
            }
        }
    }

    private void separate() throws NotCanonicalException {
        if (current.values > 0) {
            in.expect(',');
            out.write(',');
        }
    }

    private void begin(Container.Kind kind, char bracket) {
        if (depth >= limits.maxDepth()) {
            throw BodyLimitException.depth(limits.maxDepth());
        }
        in.skip();
        out.write(bracket);
        PointerTree node = current.valueNode;
        depth++;
        if (depth == levels.size()) {
            levels.add(new Container());
        }
        current = levels.get(depth);
        current.begin(kind, node == null || node.isLeaf() ? null : node, members.size());
    }

    private void end(char bracket) {
        in.skip();
        out.write(bracket);
        depth--;
        current = levels.get(depth);
        endValue();
    }

    private void copyName() throws NotCanonicalException {
        int start = out.size();
        members.add(start);
        in.copyString(out);
        if (current.values > 0 && current.sorted) {
            current.sorted = members.isLastInOrder();
        }
        if (current.node != null) {
            current.valueNode = current.node.child(CanonicalText.of(out.array(), start, out.size()));
        }
        in.expect(':');
        out.write(':');
    }

    private void beginValue() {
        if (current.kind == Container.Kind.ARRAY && current.node != null) {
            current.valueNode = current.node.child(String.valueOf(current.values));
        }
        current.valueStart = out.size();
    }

    private void endValue() {
        current.values++;
        Pointer pointer = current.valueNode == null ? null : current.valueNode.pointer();
        if (pointer != null) {
            selected.put(pointer, out.copy(current.valueStart, out.size()));
        }
    }

    private void copyScalar() throws NotCanonicalException {
        switch (in.peek()) {
            case '"' -> in.copyString(out);
            case 't' -> copyLiteral("true");
            case 'f' -> copyLiteral("false");
            case 'n' -> copyLiteral("null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> copyNumber();
            default -> throw JsonReader.invalid();
        }
    }

    private void copyLiteral(String literal) throws NotCanonicalException {
        in.literal(literal);
        out.writeAscii(literal);
    }

    private void copyNumber() throws NotCanonicalException {
        int from = in.position();
        boolean integer = in.number();
        int to = in.position();
        if (depth == 0 && !in.isBetweenTokens()) {
            throw JsonReader.invalid();
        }
        if (to - from > limits.maxNumberLength()) {
            throw BodyLimitException.number(to - from, limits.maxNumberLength());
        }
        if (integer) {
            number.writeInteger(from, to);
        } else {
            number.write(from, to);
        }
    }

    /** A document, array or object whose end is not yet reached; reused for the next one at its level. */
    private static final class Container {

        enum Kind {
            DOCUMENT,
            ARRAY,
            OBJECT
        }

        Kind kind = Kind.DOCUMENT;
        int values;
        int firstMember;
        int valueStart;
        boolean sorted;

        @Nullable
        PointerTree node;

        @Nullable
        PointerTree valueNode;

        void begin(Kind newKind, @Nullable PointerTree newNode, int members) {
            kind = newKind;
            node = newNode;
            valueNode = null;
            values = 0;
            firstMember = members;
            sorted = true;
        }
    }
}
