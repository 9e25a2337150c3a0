package dev.semel.server.gateway.config;

import dev.semel.fingerprint.Pointer;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import dev.semel.server.gateway.config.WebhookConfig.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Reads the webhook of a route. */
final class WebhookReader {

    private final ConfigNode node;

    WebhookReader(ConfigNode node) {
        this.node = node;
    }

    WebhookConfig read() {
        String path = node.text("path")
                .orElseThrow(() ->
                        node.wrong("path", "a webhook needs a path to be delivered to, such as /webhooks/payments"));
        WebhookSigning scheme = node.value("scheme", text -> Values.constant(WebhookSigning.class, text))
                .orElseThrow(() ->
                        node.wrong("scheme", "say how the provider signs: one of standard-webhooks, stripe, github"));
        List<String> secrets = node.texts("secrets");
        WebhookConfig.Signing signing = node.understood("secrets", () -> scheme.with(secrets));
        Subject subject = subject();
        Pointer fence = node.value("fence", Pointer::of).orElse(null);
        List<LookupRule> rules = new ArrayList<>();
        rules.addAll(rules("happened", ResolverReader::happened));
        rules.addAll(rules("did-not-happen", rule -> new Meaning.DidNotHappen()));
        node.requireNoMore();
        try {
            return new WebhookConfig(path, signing, subject, fence, rules);
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }

    private Subject subject() {
        Pointer scope = node.value("scope", Pointer::of).orElse(null);
        List<Subject> subjects = new ArrayList<>();
        node.value("key", Pointer::of).ifPresent(key -> subjects.add(new Subject.ByKey(key, scope)));
        node.value("downstream-key", Pointer::of).ifPresent(key -> subjects.add(new Subject.ByDownstreamKey(key)));
        node.mapping("reference").ifPresent(reference -> subjects.add(reference(reference)));
        if (subjects.size() != 1) {
            throw node.wrong("say with one of 'key', 'downstream-key' and 'reference' which request an event is about");
        }
        if (scope != null && !node.has("key")) {
            throw node.wrong("scope", "only a client's key needs its owner: leave 'scope' out");
        }
        return subjects.get(0);
    }

    private static Subject reference(ConfigNode node) {
        Subject reference = new Subject.ByReference(
                node.value("request", Pointer::of)
                        .orElseThrow(() -> node.wrong(
                                "request", "say which field of the protected request it is, such as /order/id")),
                node.value("event", Pointer::of)
                        .orElseThrow(() ->
                                node.wrong("event", "say where an event has it, such as /data/object/metadata/order")));
        node.requireNoMore();
        return reference;
    }

    private List<LookupRule> rules(String field, Function<ConfigNode, Meaning> meaning) {
        List<LookupRule> rules = new ArrayList<>();
        for (ConfigNode rule : node.mappings(field)) {
            Pointer pointer = rule.value("pointer", Pointer::of)
                    .orElseThrow(() -> rule.wrong("pointer", "say where the event says what it means, such as /type"));
            Set<String> values = Set.copyOf(rule.texts("values"));
            if (values.isEmpty()) {
                throw rule.wrong("values", "say which values mean this, such as [payment.paid]");
            }
            Meaning means = meaning.apply(rule);
            rule.requireNoMore();
            rules.add(rule.understood(
                    "pointer", () -> new LookupRule(new LookupRule.When(Set.of(), pointer, values), means)));
        }
        return rules;
    }
}
