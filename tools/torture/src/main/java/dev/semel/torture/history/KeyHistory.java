package dev.semel.torture.history;

import dev.semel.Identity;
import dev.semel.torture.history.AuditEvent.Changed;
import dev.semel.torture.history.AuditEvent.Read;
import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.ClientEvent.Asked;
import dev.semel.torture.history.LedgerEvent.Charged;
import dev.semel.torture.history.LedgerEvent.OfRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The events of one key in all four logs. */
final class KeyHistory {

    /** A fault is listed with a key's history when it began during the key's events, or this soon before. */
    private static final Duration BEFORE = Duration.ofSeconds(2);

    private final Identity identity;
    private final List<ClientEvent> clients = new ArrayList<>();
    private final List<LedgerEvent> ledger = new ArrayList<>();
    private final List<AuditEvent> audit = new ArrayList<>();

    KeyHistory(Identity identity) {
        this.identity = identity;
    }

    void add(HistoryEvent event) {
        if (event instanceof ClientEvent client) {
            clients.add(client);
        } else if (event instanceof LedgerEvent entry) {
            ledger.add(entry);
        } else if (event instanceof AuditEvent change) {
            audit.add(change);
        }
    }

    Identity identity() {
        return identity;
    }

    List<ClientEvent> clients() {
        return clients;
    }

    Stream<Asked> asked() {
        return only(clients, Asked.class);
    }

    Stream<Answered> answered() {
        return only(clients, Answered.class);
    }

    Stream<OfRequest> requests() {
        return only(ledger, OfRequest.class);
    }

    List<Charged> charges() {
        return only(ledger, Charged.class).toList();
    }

    /** In the order in which the store made them. */
    List<Changed> changes() {
        return only(audit, Changed.class)
                .sorted(Comparator.comparingLong(Changed::number))
                .toList();
    }

    Stream<Read> reads(String moment) {
        return only(audit, Read.class).filter(read -> read.moment().equals(moment));
    }

    private static <T> Stream<T> only(List<?> events, Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }

    /** All events by time, with the faults that may concern the key. */
    List<String> lines(List<FaultEvent> faults) {
        Stream<? extends HistoryEvent> own = Stream.of(clients, ledger, audit).flatMap(List::stream);
        return Stream.concat(own, faults.stream().filter(concerning()))
                .sorted(Comparator.comparing(HistoryEvent::at))
                .map(event -> nameOf(event) + " " + event.line())
                .toList();
    }

    private Predicate<FaultEvent> concerning() {
        Instant first = clients.stream()
                .map(ClientEvent::at)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        Instant last = Stream.concat(ledger.stream(), only(audit, Changed.class))
                .map(HistoryEvent::at)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        return fault -> identity.equals(fault.identity())
                || (!fault.at().isBefore(minus(first)) && !fault.at().isAfter(last));
    }

    private static Instant minus(Instant first) {
        return first.equals(Instant.MAX) ? first : first.minus(BEFORE);
    }

    private static String nameOf(HistoryEvent event) {
        if (event instanceof ClientEvent) {
            return "client";
        }
        if (event instanceof LedgerEvent) {
            return "ledger";
        }
        return event instanceof AuditEvent ? "audit " : "fault ";
    }
}
