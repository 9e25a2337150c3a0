package dev.semel.fingerprint;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random JSON documents as plain Java values, and random spellings of them.
 *
 * <p>The values (maps, lists, strings, stripped decimals, booleans, {@link #NULL}) have an equality of their own, which
 * knows nothing of canonical forms: the judge of what is one document.
 */
final class JsonModel {

    static final Object NULL = "null literal".toCharArray();

    private static final String[] TEXTS = {
        "",
        "a",
        "b",
        "aa",
        "ab",
        "A",
        "a\"",
        "a\\",
        "\n",
        "\u0001",
        "/",
        "0",
        "\u00e9",
        "e\u0301",
        "\u20ac",
        "\ud83d\ude00",
        "\ufb33",
        "\u2028",
        ",",
        ":",
        "{",
        "]",
        "\",\"",
        "null",
        "1"
    };

    private final Random random;
    private final int mostDigits;
    private final int widestExponent;

    JsonModel(Random random, int mostDigits, int widestExponent) {
        this.random = random;
        this.mostDigits = mostDigits;
        this.widestExponent = widestExponent;
    }

    /** An array or an object. */
    Object document() {
        return container(4);
    }

    private Object container(int depth) {
        int size = random.nextInt(5);
        if (random.nextBoolean()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                elements.add(value(depth - 1));
            }
            return elements;
        }
        Map<String, Object> members = new HashMap<>();
        for (int i = 0; i < size; i++) {
            members.put(text(), value(depth - 1));
        }
        return members;
    }

    private Object value(int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            return container(depth);
        }
        return switch (random.nextInt(6)) {
            case 0 -> true;
            case 1 -> false;
            case 2 -> NULL;
            case 3 -> text();
            default -> number();
        };
    }

    private String text() {
        String text = TEXTS[random.nextInt(TEXTS.length)];
        return random.nextInt(3) == 0 ? text + TEXTS[random.nextInt(TEXTS.length)] : text;
    }

    private BigDecimal number() {
        StringBuilder digits = new StringBuilder();
        for (int i = random.nextInt(mostDigits); i >= 0; i--) {
            digits.append(random.nextInt(10));
        }
        int exponent = random.nextInt(2 * widestExponent + 1) - widestExponent;
        BigDecimal number = new BigDecimal(digits + "e" + exponent).stripTrailingZeros();
        return random.nextBoolean() ? number : number.negate();
    }

    /** Another document that differs in one place. */
    Object changed(Object value) {
        if (value instanceof List<?> list && !list.isEmpty()) {
            List<Object> copy = new ArrayList<>(list);
            int at = random.nextInt(copy.size());
            switch (random.nextInt(3)) {
                case 0 -> copy.remove(at);
                case 1 -> Collections.rotate(copy, 1);
                default -> copy.set(at, changed(copy.get(at)));
            }
            return copy;
        }
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            Map<Object, Object> copy = new HashMap<>(map);
            Object name = new ArrayList<>(copy.keySet()).get(random.nextInt(copy.size()));
            switch (random.nextInt(3)) {
                case 0 -> copy.remove(name);
                case 1 -> copy.put(text(), copy.remove(name));
                default -> copy.put(name, changed(copy.get(name)));
            }
            return copy;
        }
        if (value instanceof BigDecimal number) {
            return number.add(BigDecimal.ONE.movePointLeft(random.nextInt(mostDigits)))
                    .stripTrailingZeros();
        }
        return value(2);
    }

    /** One of the many spellings of a document. */
    String spelled(Object value) {
        StringBuilder out = new StringBuilder();
        spell(value, out);
        return out.toString();
    }

    private void spell(Object value, StringBuilder out) {
        space(out);
        if (value == NULL) {
            out.append("null");
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                out.append(i == 0 ? "" : ",");
                spell(list.get(i), out);
            }
            space(out);
            out.append(']');
        } else if (value instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> members = new ArrayList<>(map.entrySet());
            Collections.shuffle(members, random);
            out.append('{');
            for (int i = 0; i < members.size(); i++) {
                out.append(i == 0 ? "" : ",");
                spell(members.get(i).getKey(), out);
                out.append(':');
                spell(members.get(i).getValue(), out);
            }
            space(out);
            out.append('}');
        } else if (value instanceof String text) {
            spellText(text, out);
        } else if (value instanceof BigDecimal number) {
            spellNumber(number, out);
        } else {
            out.append(value);
        }
        space(out);
    }

    private void spellText(String text, StringBuilder out) {
        out.append('"');
        for (char c : text.toCharArray()) {
            boolean mustEscape = c < 0x20 || c == '"' || c == '\\';
            if (c == '\n' && random.nextBoolean()) {
                out.append("\\n");
            } else if ((c == '"' || c == '\\' || c == '/') && random.nextBoolean()) {
                out.append('\\').append(c);
            } else if (mustEscape || (!Character.isSurrogate(c) && random.nextInt(4) == 0)) {
                out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void spellNumber(BigDecimal number, StringBuilder out) {
        BigDecimal padded = number.setScale(number.scale() + random.nextInt(3));
        boolean plainIsShort = Math.abs(padded.scale()) < 40;
        if (plainIsShort && random.nextBoolean()) {
            out.append(padded.toPlainString());
        } else {
            out.append(padded.unscaledValue())
                    .append(random.nextBoolean() ? 'e' : 'E')
                    .append(padded.scale() <= 0 && random.nextBoolean() ? "+" : "")
                    .append(-padded.scale());
        }
    }

    private void space(StringBuilder out) {
        if (random.nextInt(4) == 0) {
            out.append(" \t\r\n".charAt(random.nextInt(4)));
        }
    }
}
