package dev.semel.server.gateway.config;

import dev.semel.fingerprint.Pointer;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import java.util.Set;
import java.util.function.Function;

/** Reads the resolver of a route. */
final class ResolverReader {

    private final ConfigNode node;

    ResolverReader(ConfigNode node) {
        this.node = node;
    }

    ResolverConfig read(String operation) {
        ResolverConfig.Builder resolver = node.value("url", ResolverConfig::lookup)
                .orElseThrow(() -> node.wrong(
                        "url", "a resolver needs a URL to ask, such as http://127.0.0.1:9000/payments/by-key/{key}"));
        node.text("method").ifPresent(resolver::method);
        node.mapping("headers")
                .ifPresent(headers -> headers.pairs()
                        .forEach((name, value) -> headers.understood(name, () -> resolver.header(name, value))));
        node.value("timeout", Values::positive).ifPresent(resolver::timeout);
        node.value("max-answer", Values::size).ifPresent(resolver::maxBytes);
        node.value("reference", Pointer::of).ifPresent(resolver::reference);
        rules(resolver, "happened", ResolverReader::happened);
        rules(resolver, "did-not-happen", rule -> new Meaning.DidNotHappen());
        rules(resolver, "cannot-tell", rule -> new Meaning.CannotTell());
        resolver.policy(policy());
        node.requireNoMore();
        try {
            ResolverConfig read = resolver.build();
            read.policy().requireConsistent(operation);
            return read;
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }

    private void rules(ResolverConfig.Builder resolver, String field, Function<ConfigNode, Meaning> meaning) {
        for (ConfigNode rule : node.mappings(field)) {
            Pointer pointer = rule.value("pointer", Pointer::of).orElse(null);
            Set<Integer> statuses = Set.copyOf(rule.values("status", Values::status));
            Set<String> values = Set.copyOf(rule.texts("values"));
            Meaning means = meaning.apply(rule);
            rule.requireNoMore();
            try {
                resolver.rule(new LookupRule(new LookupRule.When(statuses, pointer, values), means));
            } catch (IllegalArgumentException e) {
                throw rule.wrong(String.valueOf(e.getMessage()));
            }
        }
    }

    /** What a rule says that retries get. */
    static Meaning happened(ConfigNode rule) {
        int status = rule.value("answer", Values::status)
                .orElseThrow(() -> rule.wrong("answer", "say which status retries get, such as 201"));
        boolean withBody = rule.value("with-body", Values::yesOrNo).orElse(true);
        Pointer body = rule.value("body", Pointer::of).orElse(Pointer.of(""));
        return rule.understood("answer", () -> new Meaning.Happened(status, withBody ? body : null));
    }

    private ReconcilePolicy policy() {
        ReconcilePolicy standard = ReconcilePolicy.DEFAULT;
        return node.understood(
                "settle-window",
                () -> new ReconcilePolicy(
                        node.value("settle-window", Values::duration).orElse(standard.settleWindow()),
                        node.value("first-delay", Values::positive).orElse(standard.firstDelay()),
                        node.value("longest-delay", Values::positive).orElse(standard.longestDelay()),
                        node.value("tries", Values::number).orElse(standard.maxTries())));
    }
}
