package dev.semel.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The published policy as a page that needs nothing but itself: no scripts, no other files. */
final class PolicyHtml {

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Idempotency policy</title>
            <style>
            :root { color-scheme: light dark; --line: #d7dce2; --soft: #5a6572; --back: #f6f8fa; }
            @media (prefers-color-scheme: dark) { :root { --line: #3a424d; --soft: #a4afbc; --back: #1d2229; } }
            body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
            h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
            h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
            p { margin: .4rem 0; }
            code { font: .9em/1.4 ui-monospace, monospace; background: var(--back); border-radius: 3px; padding: .1em .3em;
              overflow-wrap: anywhere; }
            table { border-collapse: collapse; width: 100%; }
            th, td { border-top: 1px solid var(--line); padding: .45rem .6rem .45rem 0; text-align: left;
              vertical-align: top; }
            th { color: var(--soft); font-weight: 500; width: 12rem; }
            @media (max-width: 34rem) {
              th, td { display: block; width: auto; padding-right: 0; }
              th { border-top: 1px solid var(--line); padding-bottom: 0; }
              td { border-top: 0; padding-top: 0; }
            }
            </style>
            </head>
            <body>
            <h1>Idempotency policy</h1>
            """;

    private final StringBuilder out = new StringBuilder(HEAD);

    private PolicyHtml() {}

    static String of(Map<String, Object> document) {
        return new PolicyHtml().page(document);
    }

    private String page(Map<String, Object> document) {
        out.append(
                        "<p>A client makes one key for each intent and repeats the request unchanged with it. Requests with ")
                .append(codes(document.get("safe_methods")))
                .append(" are safe and need no key. The state of a key is at ")
                .append(code(document.get("status_path")))
                .append(".</p>\n");
        for (Object operation : list(document.get("operations"))) {
            operation(map(operation));
        }
        return out.append("</body>\n</html>\n").toString();
    }

    private void operation(Map<?, ?> operation) {
        out.append("<h2>").append(text(operation.get("operation"))).append("</h2>\n<table>\n");
        StringBuilder routes = new StringBuilder();
        for (Object route : list(operation.get("routes"))) {
            routes.append(routes.isEmpty() ? "" : "<br>").append(route(map(route)));
        }
        row("Requests", routes.toString());
        row("Key", key(map(operation.get("key"))));
        row("Kept for", duration(operation.get("retention")));
        Map<?, ?> inProgress = map(operation.get("in_progress"));
        row("While one is running", "status " + code(inProgress.get("status")) + wait(inProgress.get("wait")));
        row("Same key, other request", "status " + code(operation.get("mismatch_status")));
        row("What counts as the same", fingerprint(map(operation.get("fingerprint"))));
        row("What is replayed", replayed(map(operation.get("replayed"))));
        row("After that time", lateRetries(String.valueOf(operation.get("late_retries"))));
        out.append("</table>\n");
    }

    private static String route(Map<?, ?> route) {
        String methods = list(route.get("methods")).contains("*")
                ? "every method that is not safe"
                : codes(route.get("methods"));
        String path = "*".equals(route.get("path")) ? "every path" : code(route.get("path"));
        return methods + " on " + path;
    }

    private void row(String name, String html) {
        out.append("<tr><th scope=\"row\">")
                .append(text(name))
                .append("</th><td>")
                .append(html)
                .append("</td></tr>\n");
    }

    private static String key(Map<?, ?> key) {
        if (key.get("header") == null) {
            return "made from the request; clients send none";
        }
        String rules = Boolean.TRUE.equals(key.get("uuid")) ? "a UUID, " : "";
        return text(key.get("mode")) + ", in " + code(key.get("header")) + ": " + rules + text(key.get("syntax")) + ", "
                + text(key.get("min_length")) + " to " + text(key.get("max_length")) + " characters";
    }

    private static String wait(@Nullable Object wait) {
        return "PT0S".equals(wait) ? "" : ", after up to " + duration(wait);
    }

    /** ISO durations for people: in the largest unit that is whole. */
    private static String duration(@Nullable Object iso) {
        Duration length = Duration.parse(String.valueOf(iso));
        long seconds = length.toSeconds();
        if (length.toNanosPart() != 0 || seconds == 0) {
            return text(iso);
        }
        for (Unit unit : Unit.values()) {
            if (seconds % unit.seconds == 0) {
                return seconds / unit.seconds + " " + unit.name().toLowerCase(Locale.ROOT)
                        + (seconds == unit.seconds ? "" : "s");
            }
        }
        return text(iso);
    }

    private enum Unit {
        DAY(86_400),
        HOUR(3_600),
        MINUTE(60),
        SECOND(1);

        final long seconds;

        Unit(long seconds) {
            this.seconds = seconds;
        }
    }

    private static String fingerprint(Map<?, ?> fingerprint) {
        List<?> fields = list(fingerprint.get("fields"));
        List<?> headers = list(fingerprint.get("headers"));
        return "method, path, query, media type, "
                + (fields.isEmpty() ? "body" : "of the body " + codes(fields))
                + (headers.isEmpty() ? "" : ", and the headers " + codes(headers));
    }

    private static String replayed(Map<?, ?> replayed) {
        List<?> released = list(replayed.get("not_executed_statuses"));
        String failures = switch (String.valueOf(replayed.get("failures"))) {
            case "retry" -> "failures are not recorded, and a retry executes again";
            case "reconcile" -> "a failure leaves the outcome unknown until it is settled";
            case "by_tombstone" -> "a request whose key is known to have been used is refused; any other executes";
            default -> "failures are replayed like successes";
        };
        return "status, headers and body of the first response, marked " + code(replayed.get("header"))
                + (released.isEmpty() ? "" : ", except for " + codes(released) + ", which execute nothing") + "; "
                + failures;
    }

    private static String lateRetries(String behaviour) {
        return switch (behaviour) {
            case "execute" -> "the key is free, and a request with it executes";
            case "refuse" -> "a request with this key is refused for as long as the service knows of it";
            case "by_tombstone" -> "a request whose key is known to have been used is refused; any other executes";
            default ->
                "a request whose key carries its time, or is known to have been used, is refused; any other executes";
        };
    }

    private static String codes(@Nullable Object values) {
        StringBuilder all = new StringBuilder();
        for (Object value : list(values)) {
            all.append(all.isEmpty() ? "" : ", ").append(code(value));
        }
        return all.toString();
    }

    private static String code(@Nullable Object value) {
        return "<code>" + text(value) + "</code>";
    }

    private static String text(@Nullable Object value) {
        return String.valueOf(value)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
