package dev.semel.http;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An RFC 9457 problem. Its standard form is {@code application/problem+json}, and the same problem always has the same bytes; an
 * application gives it another form with a {@link ProblemRenderer}.
 *
 * @param retryable whether the same request with the same key may get another answer later
 * @param safeNewKey whether the request can be sent with a new key and is certain not to be executed a second time by that
 * @param members further members, in their order: text, numbers, booleans, and lists and maps of them
 */
public record Problem(
        ProblemCode code,
        int status,
        String detail,
        boolean retryable,
        boolean safeNewKey,
        Map<String, Object> members) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public Problem {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** A problem with another status than its code has by default. */
    public Problem(ProblemCode code, int status, String detail) {
        this(code, status, detail, code.retryable(), code.safeNewKey(), Map.of());
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, code.status(), detail);
    }

    /** The problem where it is recorded: not retryable whatever its code, since the same key gets it again. */
    Problem asFinal() {
        return new Problem(code, status, detail, false, false, members);
    }

    Problem withSafeNewKey(boolean safe) {
        return new Problem(code, status, detail, retryable, safe, members);
    }

    /** This problem and one more member. */
    public Problem with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(name, value);
        return new Problem(code, status, detail, retryable, safeNewKey, more);
    }

    /** What a client does next. */
    public ProblemCode.Next next() {
        return !retryable && code.next() == ProblemCode.Next.WAIT_AND_RETRY_SAME_KEY
                ? ProblemCode.Next.LOOK_UP_RESULT
                : code.next();
    }

    /** The standard form. */
    public String json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("type", code.type());
        all.put("title", code.title());
        all.put("status", status);
        all.put("detail", detail);
        all.put("code", code.code());
        all.put("retryable", retryable);
        all.put("safe_new_key", safeNewKey);
        all.put("next", nextMember(next()));
        members.forEach(all::putIfAbsent);
        return JsonText.of(all);
    }

    static Map<String, Object> nextMember(ProblemCode.Next next) {
        Map<String, Object> member = new LinkedHashMap<>();
        member.put("code", next.code());
        member.put("detail", next.detail());
        return member;
    }

    /** The answer in the standard form. */
    public Answer toAnswer() {
        return new Answer(
                status, Headers.of("Content-Type", MEDIA_TYPE).with("Cache-Control", "no-store"), Body.ofText(json()));
    }

    /** The answer in the standard form, with {@code Retry-After}. */
    public Answer toAnswer(Duration retryAfter) {
        return toAnswer().with("Retry-After", seconds(retryAfter));
    }

    /** Whole seconds, rounded up, at least one: a client that retries at once gains nothing. */
    static String seconds(Duration retryAfter) {
        return String.valueOf(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
    }
}
