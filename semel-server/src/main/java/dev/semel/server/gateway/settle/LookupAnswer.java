package dev.semel.server.gateway.settle;

import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.LookupRule;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import dev.semel.server.gateway.config.ResolverConfig;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one look-up, and what the rules make of it.
 *
 * <p>It counts only if it is whole, not encoded, JSON that names no member twice where a rule reads JSON, and if all rules that
 * are about it mean the same.
 */
final class LookupAnswer {

    private final ResolverConfig config;
    private final int status;
    private final boolean whole;
    private final Body body;
    private final HttpHeaders headers;

    LookupAnswer(ResolverConfig config, HttpResponse<LimitedBody.Read> answer) {
        this.config = config;
        this.status = answer.statusCode();
        this.whole = answer.body().whole();
        this.body = answer.body().body();
        this.headers = answer.headers();
    }

    Verdict verdict() {
        if (!whole) {
            return nothing("its answer is longer than " + config.maxBytes() + " bytes");
        }
        Optional<String> coding = headers.firstValue("Content-Encoding").filter(used -> !used.equals("identity"));
        if (coding.isPresent()) {
            return nothing("its answer has a Content-Encoding, which was not asked for");
        }
        List<LookupRule> candidates = config.rules().stream()
                .filter(rule -> rule.when().acceptsStatus(status))
                .toList();
        Map<Pointer, byte[]> values = valuesFor(candidates);
        if (values == null) {
            return nothing("its answer is no JSON in UTF-8 that names each member once");
        }
        List<LookupRule> matching =
                candidates.stream().filter(rule -> matches(rule.when(), values)).toList();
        Set<Meaning> meanings = matching.stream().map(LookupRule::meaning).collect(Collectors.toUnmodifiableSet());
        if (meanings.size() != 1) {
            return nothing(
                    meanings.isEmpty() ? "no rule is about its answer" : "rules of different meanings are about it");
        }
        return meant(matching.get(0), values);
    }

    private Verdict meant(LookupRule rule, Map<Pointer, byte[]> values) {
        String detail = seen() + ": " + rule.when();
        if (rule.meaning() instanceof Meaning.DidNotHappen) {
            return new Verdict.DidNotHappen(detail);
        }
        if (rule.meaning() instanceof Meaning.Happened happened) {
            Pointer at = happened.body();
            byte[] part = at == null || at.segments().isEmpty() ? body.bytes() : values.get(at);
            if (part == null) {
                return nothing("it happened, but its answer has nothing for retries at " + at);
            }
            return new Verdict.Happened(response(happened, part).toResponse(), detail);
        }
        return new Verdict.CannotTellYet(detail);
    }

    private RecordedResponse response(Meaning.Happened happened, byte[] part) {
        Pointer at = happened.body();
        if (at == null) {
            return RecordedResponse.of(happened.status(), Headers.NONE, Body.EMPTY);
        }
        Headers kept = at.segments().isEmpty()
                ? headers.firstValue("Content-Type")
                        .map(type -> Headers.of("Content-Type", type))
                        .orElse(Headers.NONE)
                : Headers.of("Content-Type", "application/json");
        return RecordedResponse.of(happened.status(), kept, Body.of(part));
    }

    /** The values that the rules read; empty when they read none, null when the body cannot be read. */
    private @Nullable Map<Pointer, byte[]> valuesFor(List<LookupRule> candidates) {
        List<Pointer> read = new ArrayList<>();
        for (LookupRule rule : candidates) {
            Pointer pointer = rule.when().pointer();
            if (pointer != null) {
                read.add(pointer);
            }
            if (rule.meaning() instanceof Meaning.Happened happened
                    && happened.body() != null
                    && !happened.body().segments().isEmpty()) {
                read.add(happened.body());
            }
        }
        if (read.isEmpty()) {
            return Map.of();
        }
        try {
            return CanonicalJson.standard()
                    .select(body.bytes(), Set.copyOf(read))
                    .orElse(null);
        } catch (BodyLimitException e) {
            return null;
        }
    }

    private static boolean matches(LookupRule.When when, Map<Pointer, byte[]> values) {
        Pointer pointer = when.pointer();
        if (pointer == null) {
            return true;
        }
        byte[] value = values.get(pointer);
        if (value == null) {
            return false;
        }
        String text = new String(value, StandardCharsets.UTF_8);
        if (text.startsWith("\"")) {
            text = CanonicalJson.text(value);
        } else if (when.values().isEmpty() && text.equals("null")) {
            return false;
        }
        return when.values().isEmpty() || when.values().contains(text);
    }

    private Verdict nothing(String why) {
        return new Verdict.CannotTellYet(seen() + ": " + why);
    }

    private String seen() {
        return config + " gave " + status;
    }
}
