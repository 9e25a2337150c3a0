package dev.semel.fingerprint;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Random JSON documents as maps, lists and scalars, their mutations, their spellings, and what two of them differ in. */
final class JsonDocument {

    private static final List<String> NAMES = List.of(
            "amountCents",
            "currency",
            "customer",
            "items",
            "id",
            "note",
            "metadata",
            "a/b",
            "m~n",
            "",
            "straße",
            "\u540d\u524d",
            "\ud83d\ude00",
            "qu\"ote",
            "tab\t",
            "zip",
            "address",
            "tags");

    private final Random random;

    JsonDocument(Random random) {
        this.random = random;
    }

    /** Mostly of a size that people write; one in 200 has more members than an outline. */
    Map<String, Object> document() {
        return object(0, random.nextInt(200) == 0 ? 80 : 3 + random.nextInt(8));
    }

    private Map<String, Object> object(int depth, int members) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members; i++) {
            object.put(name(), value(depth + 1));
        }
        return object;
    }

    private String name() {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return random.nextInt(4) == 0 ? name + random.nextInt(100) : name;
    }

    private Object value(int depth) {
        int choice = depth > 3 ? 0 : random.nextInt(10);
        if (choice == 8) {
            return object(depth, random.nextInt(4));
        }
        if (choice == 9) {
            List<Object> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                elements.add(value(depth + 1));
            }
            return elements;
        }
        return scalar();
    }

    private Object scalar() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextBoolean();
            case 1 -> Null.NULL;
            case 2 -> new BigDecimal(random.nextInt(100_000)).movePointLeft(random.nextInt(3));
            case 3 -> new BigDecimal("9007199254740992").add(new BigDecimal(random.nextInt(9)));
            default -> "v" + random.nextInt(1_000_000) + (random.nextInt(5) == 0 ? "é\u0001/\\" : "");
        };
    }

    /** JSON's null, which maps of the JDK cannot tell from no value. */
    enum Null {
        NULL
    }

    /** A copy in which one thing, somewhere, was changed, added or removed; sometimes to what it was before. */
    @SuppressWarnings("unchecked")
    Object mutated(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) map);
            List<String> names = new ArrayList<>(copy.keySet());
            int choice = names.isEmpty() ? 0 : random.nextInt(8);
            if (choice == 0) {
                copy.put(name(), value(3));
            } else if (choice == 1) {
                copy.remove(names.get(random.nextInt(names.size())));
            } else {
                copy.computeIfPresent(names.get(random.nextInt(names.size())), (name, old) -> mutated(old));
            }
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list);
            int choice = copy.isEmpty() ? 0 : random.nextInt(4);
            int at = copy.isEmpty() ? 0 : random.nextInt(copy.size());
            if (choice == 0) {
                copy.add(at, value(3));
            } else if (choice == 1) {
                copy.remove(at);
            } else {
                copy.set(at, mutated(copy.get(at)));
            }
            return copy;
        }
        return random.nextInt(5) == 0 ? value(2) : scalar();
    }

    /** One of the many spellings of a document: white space, order of members, escapes, numbers. */
    byte[] spelled(Object value) {
        StringBuilder out = new StringBuilder();
        spell(value, out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void spell(Object value, StringBuilder out) {
        out.append(" ".repeat(random.nextInt(2)));
        if (value instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> members = new ArrayList<>(map.entrySet());
            Collections.shuffle(members, random);
            out.append('{');
            for (Map.Entry<?, ?> member : members) {
                out.append(out.charAt(out.length() - 1) == '{' ? "" : ",\n");
                spell((String) member.getKey(), out);
                out.append(':');
                spell(member.getValue(), out);
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                out.append(i == 0 ? "" : ",");
                spell(list.get(i), out);
            }
            out.append(']');
        } else if (value instanceof String text) {
            spell(text, out);
        } else if (value instanceof BigDecimal number) {
            out.append(
                    switch (random.nextInt(3)) {
                        case 0 -> number.toPlainString();
                        case 1 -> number.setScale(number.scale() + 2).toPlainString();
                        default -> number.unscaledValue() + "e" + -number.scale();
                    });
        } else {
            out.append(value == Null.NULL ? "null" : value);
        }
    }

    private void spell(String text, StringBuilder out) {
        out.append('"');
        text.codePoints().forEach(point -> {
            if (point < ' ' || point == '"' || point == '\\' || random.nextInt(10) == 0) {
                for (char unit : Character.toChars(point)) {
                    out.append(String.format("\\u%04X", (int) unit));
                }
            } else {
                out.appendCodePoint(point);
            }
        });
        out.append('"');
    }

    /** What the second document differs in, such as {@code changed /items/0}; found without digests. */
    static Set<String> differences(Object before, Object now) {
        Set<String> found = new TreeSet<>();
        compare("", before, now, found);
        return found;
    }

    private static void compare(String pointer, @Nullable Object before, @Nullable Object now, Set<String> found) {
        if (before == null || now == null) {
            found.add((before == null ? "added " : "missing ") + pointer);
        } else if (before instanceof Map<?, ?> old && now instanceof Map<?, ?> map) {
            Set<Object> names = new TreeSet<>(old.keySet());
            names.addAll(map.keySet());
            for (Object name : names) {
                String child =
                        pointer + "/" + name.toString().replace("~", "~0").replace("/", "~1");
                compare(child, old.get(name), map.get(name), found);
            }
        } else if (before instanceof List<?> old && now instanceof List<?> list) {
            for (int i = 0; i < Math.max(old.size(), list.size()); i++) {
                compare(
                        pointer + "/" + i,
                        i < old.size() ? old.get(i) : null,
                        i < list.size() ? list.get(i) : null,
                        found);
            }
        } else if (!equal(before, now)) {
            found.add("changed " + pointer);
        }
    }

    private static boolean equal(Object before, Object now) {
        return before instanceof BigDecimal one && now instanceof BigDecimal other
                ? one.compareTo(other) == 0
                : before.equals(now);
    }
}
