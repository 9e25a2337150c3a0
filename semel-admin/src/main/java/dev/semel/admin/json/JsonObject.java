package dev.semel.admin.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object that was read, whose members are asked for by name and type. Each refusal names the member. */
public final class JsonObject {

    private final Map<String, @Nullable Object> members;

    private JsonObject(Map<String, @Nullable Object> members) {
        this.members = members;
    }

    static JsonObject of(Map<?, ?> map) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((name, value) -> members.put(String.valueOf(name), value));
        return new JsonObject(members);
    }

    /**
     * Refuses members with other names than these, so that a misspelt filter is no filter that finds everything.
     *
     * @throws IllegalArgumentException when there is one
     */
    public void allow(Set<String> names) {
        for (String name : members.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        "the member \"" + shortened(name) + "\" is not known here; known are "
                                + names.stream().sorted().toList());
            }
        }
    }

    /** The names of all members. */
    public Set<String> names() {
        return members.keySet();
    }

    private static String shortened(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + "…";
    }

    private static IllegalArgumentException wrong(String name, String expected) {
        return new IllegalArgumentException("the member \"" + name + "\" must be " + expected);
    }

    private <T> @Nullable T optional(String name, Class<T> type, String expected) {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw wrong(name, expected);
        }
        return type.cast(value);
    }

    /** The text, of at most this many characters; null when there is none. */
    public @Nullable String text(String name, int longest) {
        String text = optional(name, String.class, "a text");
        if (text != null && text.length() > longest) {
            throw wrong(name, "a text of at most " + longest + " characters");
        }
        return text;
    }

    public String requiredText(String name, int longest) {
        String text = text(name, longest);
        if (text == null || text.isBlank()) {
            throw wrong(name, "a text that is not blank");
        }
        return text;
    }

    public @Nullable Boolean flag(String name) {
        return optional(name, Boolean.class, "true or false");
    }

    public boolean requiredFlag(String name) {
        Boolean flag = flag(name);
        if (flag == null) {
            throw wrong(name, "true or false");
        }
        return flag;
    }

    /** The whole number; null when there is none. */
    public @Nullable Long number(String name, long least, long most) {
        BigDecimal given = optional(name, BigDecimal.class, "a number");
        if (given == null) {
            return null;
        }
        try {
            long number = given.longValueExact();
            if (number >= least && number <= most) {
                return number;
            }
        } catch (ArithmeticException e) {
            // Falls through: it is refused like a number that is out of bounds.
        }
        throw wrong(name, "a whole number from " + least + " to " + most);
    }

    public long requiredNumber(String name, long least, long most) {
        Long number = number(name, least, most);
        if (number == null) {
            throw wrong(name, "a whole number from " + least + " to " + most);
        }
        return number;
    }

    /** The number, which may have a fraction; null when there is none. */
    public @Nullable BigDecimal decimal(String name) {
        return optional(name, BigDecimal.class, "a number");
    }

    public @Nullable JsonObject object(String name) {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Map<?, ?> map) {
            return of(map);
        }
        throw wrong(name, "an object");
    }

    /** The objects of an array; none when there is no such member. */
    public List<JsonObject> objects(String name, int most) {
        List<JsonObject> objects = new ArrayList<>();
        for (Object element : array(name, most)) {
            if (!(element instanceof Map<?, ?> map)) {
                throw wrong(name, "an array of objects");
            }
            objects.add(of(map));
        }
        return objects;
    }

    /** The texts of an array; none when there is no such member. */
    public List<String> texts(String name, int most) {
        return textsOf(name, array(name, most));
    }

    /** The pairs of texts of an array of arrays, such as header lines. */
    public List<List<String>> pairs(String name, int most) {
        List<List<String>> pairs = new ArrayList<>();
        for (Object element : array(name, most)) {
            List<String> pair = element instanceof List<?> list ? textsOf(name, list) : List.of();
            if (pair.size() != 2) {
                throw wrong(name, "an array of pairs of texts");
            }
            pairs.add(pair);
        }
        return pairs;
    }

    private static List<String> textsOf(String name, List<?> elements) {
        List<String> texts = new ArrayList<>();
        for (Object element : elements) {
            if (!(element instanceof String text)) {
                throw wrong(name, "an array of texts");
            }
            texts.add(text);
        }
        return texts;
    }

    private List<?> array(String name, int most) {
        Object value = members.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list && list.size() <= most) {
            return list;
        }
        throw wrong(name, "an array of at most " + most + " elements");
    }
}
