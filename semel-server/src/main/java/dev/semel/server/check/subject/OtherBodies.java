package dev.semel.server.check.subject;

import dev.semel.server.check.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Bodies that mean something else than a given one, the likeliest to be valid first. */
public final class OtherBodies {

    private static final int MOST = 4;

    private OtherBodies() {}

    /** Bodies in which one value is another: a number first, then a text; at last a member more. */
    public static List<String> of(String body) {
        Object json = Json.parse(body).orElse(null);
        if (json == null) {
            return body.contains("=") && !body.contains("\n") ? ofForm(body) : List.of(body + " (changed)");
        }
        List<String> others = new ArrayList<>();
        addChanged(others, json, Number.class, number -> ((Number) number).longValue() + 1);
        addChanged(others, json, String.class, text -> text + "2");
        if (json instanceof Map<?, ?> object) {
            Map<Object, Object> more = new LinkedHashMap<>(object);
            more.put("semelCheck", "changed");
            others.add(compact(more));
        }
        return others.subList(0, Math.min(MOST, others.size()));
    }

    private static List<String> ofForm(String body) {
        List<String> others = new ArrayList<>();
        String[] pairs = body.split("&", -1);
        for (int i = 0; i < pairs.length; i++) {
            if (pairs[i].matches("[^=]+=[0-9]{1,15}")) {
                String[] changed = pairs.clone();
                String[] pair = pairs[i].split("=", 2);
                changed[i] = pair[0] + "=" + (Long.parseLong(pair[1]) + 1);
                others.add(String.join("&", changed));
            }
        }
        others.add(body + "2");
        return others.subList(0, Math.min(MOST, others.size()));
    }

    private static void addChanged(List<String> others, Object json, Class<?> type, UnaryOperator<Object> change) {
        int before = others.size();
        for (int leaf = 0; others.size() - before < 2; leaf++) {
            int[] remaining = {leaf};
            Object changed = changed(json, type, change, remaining);
            if (remaining[0] >= 0) {
                return;
            }
            others.add(compact(changed));
        }
    }

    /** Changes the leaf at a position among those of a type, and counts the position down to -1 when it did. */
    private static Object changed(Object json, Class<?> type, UnaryOperator<Object> change, int[] remaining) {
        if (json instanceof Map<?, ?> object) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            object.forEach(
                    (name, value) -> copy.put(name, value == null ? null : changed(value, type, change, remaining)));
            return copy;
        }
        if (json instanceof List<?> array) {
            List<Object> copy = new ArrayList<>();
            array.forEach(value -> copy.add(value == null ? null : changed(value, type, change, remaining)));
            return copy;
        }
        return type.isInstance(json) && remaining[0]-- == 0 ? change.apply(json) : json;
    }

    private static String compact(Object json) {
        return Json.write(json).replaceAll("\n *", "");
    }
}
