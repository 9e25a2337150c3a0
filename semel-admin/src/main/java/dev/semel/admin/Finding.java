package dev.semel.admin;

/**
 * What the doctor found about the store or its settings.
 *
 * @param level {@code ok}, {@code note} or {@code unsafe}
 * @param text what is set, and what to do about it
 */
public record Finding(String level, String text) {

    public static Finding ok(String text) {
        return new Finding("ok", text);
    }

    public static Finding note(String text) {
        return new Finding("note", text);
    }

    public static Finding unsafe(String text) {
        return new Finding("unsafe", text);
    }
}
