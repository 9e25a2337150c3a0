package dev.semel.admin;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.admin.json.JsonObject;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.ReplayHeaders;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Age;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.KeyMatch;
import dev.semel.reconcile.RecordSearch.Position;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the bodies of requests say. Each refusal is an {@link IllegalArgumentException} that names the member. */
final class Arguments {

    /** As long as a scope or a key may be. */
    static final int LONGEST_NAME = 255;

    static final int LONGEST_REASON = 800;
    static final int MAX_PAGE = 200;

    private static final int DEFAULT_PAGE = 50;
    private static final int LONGEST_BODY = 1 << 20;
    private static final int MAX_HEADERS = 100;
    private static final long LONGEST_AGE_MILLIS = Duration.ofDays(36_500).toMillis();
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");

    /** What every transport sends as it is: ASCII, without blanks at either end. */
    private static final Pattern HEADER_VALUE =
            Pattern.compile("(?:[\\x21-\\x7E](?:[\\t\\x20-\\x7E]{0,7998}[\\x21-\\x7E])?)?");

    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205, 304);
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\t\\n\\r]]");

    private Arguments() {}

    static Identity identity(SemelEngine semel, JsonObject body) {
        return semel.named(
                Identity.of(body.requiredText("scope", LONGEST_NAME), body.requiredText("key", LONGEST_NAME)));
    }

    static Lease lease(SemelEngine semel, JsonObject body) {
        return new Lease(identity(semel, body), body.requiredNumber("fence", 0, Long.MAX_VALUE));
    }

    static String reason(JsonObject body, int longest) {
        String reason = body.requiredText("reason", longest).strip();
        if (CONTROL.matcher(reason).find()) {
            throw new IllegalArgumentException("the member \"reason\" must not contain control characters");
        }
        return reason;
    }

    static int limit(JsonObject body) {
        Long limit = body.number("limit", 1, MAX_PAGE);
        return limit == null ? DEFAULT_PAGE : limit.intValue();
    }

    static @Nullable Position cursor(JsonObject body) {
        String cursor = body.text("cursor", 4000);
        return cursor == null ? null : Cursor.read(cursor);
    }

    static Filter filter(SemelEngine semel, JsonObject body) {
        String scope = body.text("scope", LONGEST_NAME);
        return new Filter(
                scope == null ? null : new Scope(scope),
                body.text("operation", LONGEST_NAME),
                states(body.texts("states", State.values().length)),
                body.flag("deadLettered"),
                key(semel, scope, body),
                new Age(age(body, "olderThanMs"), age(body, "youngerThanMs")));
    }

    private static @Nullable KeyMatch key(SemelEngine semel, @Nullable String scope, JsonObject body) {
        String key = body.text("key", LONGEST_NAME);
        String prefix = body.text("keyPrefix", LONGEST_NAME);
        if (key != null && prefix != null) {
            throw new IllegalArgumentException("give \"key\" or \"keyPrefix\", not both");
        }
        if (prefix != null) {
            return new KeyMatch(prefix, true);
        }
        if (key == null) {
            return null;
        }
        // A hashed key depends on its scope: without one, the key must be given as records show it.
        String stored =
                scope == null ? key : semel.named(Identity.of(scope, key)).key().value();
        return new KeyMatch(stored, false);
    }

    private static Set<State> states(List<String> labels) {
        Set<State> states = EnumSet.noneOf(State.class);
        for (String label : labels) {
            try {
                states.add(State.ofLabel(label));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("the member \"states\" has a state that does not exist", e);
            }
        }
        return states;
    }

    private static @Nullable Duration age(JsonObject body, String name) {
        Long millis = body.number(name, 0, LONGEST_AGE_MILLIS);
        return millis == null ? null : Duration.ofMillis(millis);
    }

    static RecordSearch search(SemelEngine semel, JsonObject body) {
        return RecordSearch.newest(filter(semel, body), limit(body)).after(cursor(body));
    }

    /** The verdict of a settlement. */
    static Verdict.Final verdict(JsonObject body, String reason) {
        JsonObject response = body.object("response");
        if (!body.requiredFlag("happened")) {
            if (response != null) {
                throw new IllegalArgumentException("what did not happen has no \"response\"");
            }
            return new Verdict.DidNotHappen(reason);
        }
        if (response == null) {
            throw new IllegalArgumentException("what happened needs the \"response\" that clients get");
        }
        return new Verdict.Happened(response(response), reason);
    }

    private static Response response(JsonObject given) {
        given.allow(Set.of("status", "headers", "body", "bodyBase64"));
        int status = (int) given.requiredNumber("status", 200, 599);
        Headers headers = Headers.NONE;
        for (List<String> pair : given.pairs("headers", MAX_HEADERS)) {
            headers = headers.and(header(pair.get(0), pair.get(1)));
        }
        Body body = responseBody(given);
        if (body.size() > 0 && WITHOUT_BODY.contains(status)) {
            throw new IllegalArgumentException(
                    "a response of status " + status + " has no body: leave it out of \"response\"");
        }
        return RecordedResponse.of(status, headers, body).toResponse();
    }

    private static Headers header(String name, String value) {
        if (!HEADER_NAME.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("a header in \"response\" has characters that HTTP does not allow");
        }
        Headers line = Headers.of(name, value);
        if (ReplayHeaders.keepable(line).lines().isEmpty()) {
            throw new IllegalArgumentException(
                    "the header " + name + " in \"response\" is never replayed: leave it out");
        }
        return line;
    }

    private static Body responseBody(JsonObject given) {
        String text = given.text("body", LONGEST_BODY);
        String base64 = given.text("bodyBase64", 2 * LONGEST_BODY);
        if (text != null && base64 != null) {
            throw new IllegalArgumentException("give \"body\" or \"bodyBase64\", not both");
        }
        if (base64 != null) {
            return Body.of(Base64.getDecoder().decode(base64));
        }
        return text == null ? Body.EMPTY : Body.ofText(text);
    }
}
