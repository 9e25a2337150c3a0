package dev.semel.server.gateway.config;

import dev.semel.fingerprint.Pointer;
import dev.semel.messaging.webhook.WebhookScheme;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How events of a provider settle unknown outcomes of one operation: where they arrive, how they are signed, which request
 * they are about, and what they mean.
 *
 * @param path where the provider delivers them, on the listener of clients
 * @param signing how deliveries are verified
 * @param subject which request an event is about
 * @param fence where an event has the fence of the attempt that it is about; null when events do not name attempts
 * @param rules what events mean; one that no rule is about, or rules of different meanings, means nothing
 */
public record WebhookConfig(
        String path,
        Signing signing,
        Subject subject,
        @Nullable Pointer fence,
        List<LookupRule> rules) {

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_~.-]+)+");

    /** A scheme of signatures with its secrets, of which only the scheme is shown. */
    public record Signing(WebhookSigning scheme, WebhookScheme verifier) {

        @Override
        public String toString() {
            return Values.name(scheme);
        }
    }

    /** Which request an event is about. All pointers but {@code request} are into the event. */
    public sealed interface Subject {

        /**
         * The event has the client's key.
         *
         * @param scope where it has the owner of the key; null when all keys have the same
         */
        record ByKey(Pointer key, @Nullable Pointer scope) implements Subject {}

        /** The event has the key that the service was sent as {@code Semel-Downstream-Key}. */
        record ByDownstreamKey(Pointer key) implements Subject {}

        /**
         * The event has the value of a field of the protected request.
         *
         * @param request where the body of the protected request has it
         */
        record ByReference(Pointer request, Pointer event) implements Subject {}
    }

    /**
     * Checks that no event can settle more than it says.
     *
     * @throws IllegalArgumentException when one could; the message says what would be right
     */
    public WebhookConfig {
        rules = List.copyOf(rules);
        if (!PATH.matcher(path).matches() || path.contains("/.")) {
            throw new IllegalArgumentException("'" + path
                    + "' is no path for webhooks; use letters, digits and hyphens, such as /webhooks/payments");
        }
        if (rules.stream().noneMatch(rule -> rule.meaning() instanceof Meaning.Happened)) {
            throw new IllegalArgumentException("no rule says which event means that it happened");
        }
        boolean releases = rules.stream().anyMatch(rule -> rule.meaning() instanceof Meaning.DidNotHappen);
        if (releases && fence == null) {
            throw new IllegalArgumentException(
                    "an event that says 'did not happen' could be about an earlier attempt, and would let the next request"
                            + " execute: have the service pass Semel-Fence on, and say with 'fence' where the event has it."
                            + " A decline is an outcome: write it as 'happened' with answer 402");
        }
    }
}
