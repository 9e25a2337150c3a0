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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a look-up, or the event of a provider, and what the rules make of it.
 *
 * <p>It says something only if it is JSON that names no member twice where a rule reads JSON, and if all rules that are about
 * it mean the same.
 */
final class RuledContent {

    private final List<LookupRule> rules;
    private final int status;
    private final Body body;
    private final @Nullable String type;

    /** @param type its media type, which retries get with the whole of it; null for none */
    RuledContent(List<LookupRule> rules, int status, Body body, @Nullable String type) {
        this.rules = rules;
        this.status = status;
        this.body = body;
        this.type = type;
    }

    /** @param seen what it is, for evidence */
    Verdict verdict(String seen) {
        List<LookupRule> candidates =
                rules.stream().filter(rule -> rule.when().acceptsStatus(status)).toList();
        Map<Pointer, byte[]> values = valuesFor(candidates);
        if (values == null) {
            return nothing(seen, "it is no JSON in UTF-8 that names each member once");
        }
        List<LookupRule> matching =
                candidates.stream().filter(rule -> matches(rule.when(), values)).toList();
        Set<Meaning> meanings = matching.stream().map(LookupRule::meaning).collect(Collectors.toUnmodifiableSet());
        if (meanings.size() != 1) {
            return nothing(
                    seen, meanings.isEmpty() ? "no rule is about it" : "rules of different meanings are about it");
        }
        return meant(seen, matching.get(0), values);
    }

    private Verdict meant(String seen, LookupRule rule, Map<Pointer, byte[]> values) {
        String detail = seen + ": " + rule.when();
        if (rule.meaning() instanceof Meaning.DidNotHappen) {
            return new Verdict.DidNotHappen(detail);
        }
        if (rule.meaning() instanceof Meaning.Happened happened) {
            Pointer at = happened.body();
            byte[] part = at == null || at.segments().isEmpty() ? body.bytes() : values.get(at);
            if (part == null) {
                return nothing(seen, "it happened, but there is nothing for retries at " + at);
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
        String kept = at.segments().isEmpty() ? type : "application/json";
        return RecordedResponse.of(
                happened.status(), kept == null ? Headers.NONE : Headers.of("Content-Type", kept), Body.of(part));
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

    private static Verdict nothing(String seen, String why) {
        return new Verdict.CannotTellYet(seen + ": " + why);
    }
}
