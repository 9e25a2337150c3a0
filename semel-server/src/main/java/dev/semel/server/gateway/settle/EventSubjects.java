package dev.semel.server.gateway.settle;

import dev.semel.Attempt;
import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Pointer;
import dev.semel.messaging.alias.Alias;
import dev.semel.messaging.alias.Aliases;
import dev.semel.messaging.alias.Binding;
import dev.semel.server.gateway.config.RouteConfig;
import dev.semel.server.gateway.config.WebhookConfig.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the record that a provider's event is about.
 *
 * <ol>
 *   <li>An event with the client's key and its owner names the record itself.
 *   <li>Any other name is bound to the record as an alias before the request is sent, so that no event can come earlier.
 *   <li>A field of requests that two keys have in common names neither: that it is ambiguous is recorded before the second
 *       request is sent.
 * </ol>
 */
final class EventSubjects {

    private static final String SHARED = "shared";

    /** How much longer than its record a name is kept: longer than providers deliver an event again. */
    private static final Duration NAME_OUTLIVES = Duration.ofDays(30);

    private final SemelEngine semel;
    private final Subject subject;
    private final Aliases aliases;
    private final String channel;

    EventSubjects(SemelEngine semel, String operation, Duration retention, Subject subject) {
        this.semel = semel;
        this.subject = subject;
        this.aliases = Aliases.on(semel).keptFor(retention.plus(NAME_OUTLIVES));
        this.channel = "gateway/" + operation;
    }

    /** The pointers into an event that are read. */
    List<Pointer> pointers() {
        if (subject instanceof Subject.ByKey named) {
            return Stream.of(Optional.of(named.key()), Optional.ofNullable(named.scope()))
                    .flatMap(Optional::stream)
                    .toList();
        }
        return List.of(
                subject instanceof Subject.ByReference named
                        ? named.event()
                        : ((Subject.ByDownstreamKey) subject).key());
    }

    /**
     * Binds the name that events will have, before the request is sent. Blocks while the store is asked.
     *
     * @throws StoreException when it could not be bound; the request must not be sent
     */
    void record(Attempt attempt, byte[] body) {
        if (subject instanceof Subject.ByReference named) {
            References.textAt(named.request(), body)
                    .flatMap(text -> alias(channel, text))
                    .ifPresent(alias -> bind(alias, attempt.lease().identity()));
        } else if (subject instanceof Subject.ByDownstreamKey) {
            bind(
                    new Alias(channel, attempt.downstreamKey(RouteConfig.DOWNSTREAM_PURPOSE)),
                    attempt.lease().identity());
        }
    }

    private void bind(Alias alias, Identity identity) {
        Binding binding = aliases.bind(alias, identity);
        if (binding instanceof Binding.Conflict) {
            binding = aliases.bind(ambiguous(alias), alias.identity());
        }
        if (!(binding instanceof Binding.Bound)) {
            throw new StoreException("the name that events have for a request could not be recorded");
        }
    }

    /** The mark of a name that more than one record has. */
    private static Alias ambiguous(Alias alias) {
        return new Alias("ambiguous/" + alias.channel(), alias.id());
    }

    /** The identity of the record, as it is stored; empty when the event names none, or more than one. */
    Optional<Identity> find(Map<Pointer, byte[]> event) {
        if (subject instanceof Subject.ByKey named) {
            Optional<String> scope =
                    named.scope() == null ? Optional.of(SHARED) : JsonText.of(event.get(named.scope()));
            return scope.flatMap(owner -> JsonText.of(event.get(named.key())).flatMap(key -> identity(owner, key)))
                    .map(semel::stored);
        }
        return JsonText.of(event.get(pointers().get(0)))
                .flatMap(text -> alias(channel, text))
                .filter(alias -> aliases.resolve(ambiguous(alias)).isEmpty())
                .flatMap(aliases::resolve);
    }

    private static Optional<Identity> identity(String scope, String key) {
        try {
            return Optional.of(Identity.of(scope, key));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A name with characters that no record's key may have is no name. */
    private static Optional<Alias> alias(String channel, String id) {
        try {
            return Optional.of(new Alias(channel, id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
