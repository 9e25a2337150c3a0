package dev.semel.server.gateway;

import dev.semel.Identity;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.ReplayHeaders;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.settle.SettleRequest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The JSON in which a service says what it knows about an outcome. */
final class SettleJson {

    private static final Pointer WHOLE = Pointer.of("");
    private static final Set<String> MEMBERS = Set.of("scope", "key", "fence", "happened", "response", "reason");
    private static final Set<String> RESPONSE_MEMBERS = Set.of("status", "headers", "body");
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7E]*");

    private SettleJson() {}

    /**
     * Understands JSON such as {@code {"scope":"shared","key":"k1","fence":7,"happened":false,"reason":"rolled back"}}.
     *
     * @throws IllegalArgumentException when it is something else; the message says what is wrong
     */
    static SettleRequest parse(byte[] json) {
        JsonObject request = objectIn(json);
        requireOnly("the request", request, MEMBERS);
        Identity sent = Identity.of(text(request, "scope"), text(request, "key"));
        String reason = text(request, "reason");
        if (reason.isBlank() || reason.length() > Evidence.MAX_LENGTH || reason.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'reason' must say what is known, in at most " + Evidence.MAX_LENGTH
                    + " characters without NUL; it is kept as evidence");
        }
        boolean happened = member(request, "happened", Boolean.class, "true or false");
        if (!happened && request.containsKey("response")) {
            throw new IllegalArgumentException("what did not happen has no 'response': leave it out");
        }
        Verdict.Final verdict = happened
                ? new Verdict.Happened(
                        response(member(
                                        request,
                                        "response",
                                        JsonObject.class,
                                        "an object with the status that retries get"))
                                .toResponse(),
                        reason)
                : new Verdict.DidNotHappen(reason);
        return new SettleRequest(sent, wholeNumber(request, "fence"), verdict);
    }

    /** A document that names a member twice has no canonical form, and is refused with the rest. */
    private static JsonObject objectIn(byte[] json) {
        try {
            byte[] canonical = CanonicalJson.standard()
                    .select(json, List.of(WHOLE))
                    .map(values -> values.get(WHOLE))
                    .orElseThrow(SettleJson::noObject);
            if (canonical.length == 0 || canonical[0] != '{') {
                throw noObject();
            }
            return new JsonObject(Buffer.buffer(canonical));
        } catch (BodyLimitException | DecodeException e) {
            throw noObject();
        }
    }

    private static IllegalArgumentException noObject() {
        return new IllegalArgumentException("the body must be one JSON object in UTF-8 that names no member twice");
    }

    private static void requireOnly(String what, JsonObject object, Set<String> known) {
        for (String name : object.fieldNames()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        what + " has a member that is none of " + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    private static String text(JsonObject object, String name) {
        return member(object, name, String.class, "a text");
    }

    private static <T> T member(JsonObject object, String name, Class<T> type, String expected) {
        Object value = object.getValue(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("'" + name + "' must be " + expected);
        }
        return type.cast(value);
    }

    private static long wholeNumber(JsonObject object, String name) {
        Object value = object.getValue(name);
        if (!(value instanceof Integer) && !(value instanceof Long)) {
            throw new IllegalArgumentException("'" + name + "' must be a whole number");
        }
        return ((Number) value).longValue();
    }

    private static RecordedResponse response(JsonObject response) {
        requireOnly("'response'", response, RESPONSE_MEMBERS);
        long status = wholeNumber(response, "status");
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("'status' must be between 200 and 599");
        }
        Object body = response.getValue("body", "");
        if (!(body instanceof String text)) {
            throw new IllegalArgumentException("'body' must be a text, byte for byte what retries get");
        }
        return RecordedResponse.of((int) status, headers(response.getValue("headers")), Body.ofText(text));
    }

    private static Headers headers(@Nullable Object headers) {
        if (headers == null) {
            return Headers.NONE;
        }
        if (!(headers instanceof JsonObject lines)) {
            throw new IllegalArgumentException("'headers' must be an object of names and texts");
        }
        Headers all = Headers.NONE;
        for (Map.Entry<String, Object> line : lines) {
            boolean sendable = HEADER_NAME.matcher(line.getKey()).matches()
                    && line.getValue() instanceof String value
                    && HEADER_VALUE.matcher(value).matches();
            if (!sendable) {
                throw new IllegalArgumentException(
                        "'headers' must have names of headers, and texts on one line of ASCII");
            }
            all = all.with(line.getKey(), (String) line.getValue());
        }
        if (ReplayHeaders.keepable(all).lines().size() != all.lines().size()) {
            throw new IllegalArgumentException("'headers' has one that is never replayed, such as Set-Cookie or"
                    + " Content-Length: leave it out");
        }
        return all;
    }
}
