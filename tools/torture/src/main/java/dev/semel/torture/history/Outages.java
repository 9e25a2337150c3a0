package dev.semel.torture.history;

import dev.semel.Identity;
import dev.semel.torture.history.ClientEvent.Asked;
import dev.semel.torture.history.FaultEvent.Began;
import dev.semel.torture.history.FaultEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The faults of a run as intervals. */
final class Outages {

    private record Outage(Began fault, Instant end) {
        boolean overlaps(Instant from, Instant to) {
            return !fault.at().isAfter(to) && !end.isBefore(from);
        }

        boolean hits(String target) {
            return fault.target().equals(target) || fault.target().equals(Began.ALL);
        }
    }

    private final List<Outage> outages;

    Outages(List<FaultEvent> faults) {
        Map<Integer, Instant> ends = new HashMap<>();
        for (FaultEvent fault : faults) {
            if (fault instanceof FaultEvent.Ended ended) {
                ends.put(ended.number(), ended.at());
            }
        }
        outages = faults.stream()
                .filter(Began.class::isInstance)
                .map(Began.class::cast)
                .map(began -> new Outage(began, ends.getOrDefault(began.number(), Instant.MAX)))
                .toList();
    }

    int count() {
        return outages.size();
    }

    /**
     * Whether the store, or this process, was in trouble at some time between these. A process that is stopped may hold a
     * lock that all others wait for.
     */
    boolean explain(String target, Instant from, Instant to, Duration grace) {
        return outages.stream()
                .filter(outage ->
                        outage.fault().kind() != Kind.CLOCK && outage.fault().kind() != Kind.FRONT)
                .filter(outage -> outage.hits(target) || outage.fault().kind() == Kind.STOP)
                .anyMatch(outage -> outage.overlaps(from.minus(grace), to));
    }

    /** Whether the machine stood still at some time between these, so that no process could be in time. */
    boolean isMachineSlow(Instant from, Instant to) {
        return outages.stream().anyMatch(outage -> outage.fault().kind() == Kind.MACHINE && outage.overlaps(from, to));
    }

    /** Whether the process that worked on this key was stopped at this time, and went on later. */
    boolean isStopped(Identity identity, Instant at) {
        return outages.stream()
                .filter(outage ->
                        outage.fault().kind() == Kind.STOP && !outage.end().equals(Instant.MAX))
                .anyMatch(outage -> identity.equals(outage.fault().identity()) && outage.overlaps(at, at));
    }

    /** The keys that a fault hit while a process worked on them. */
    Set<Identity> hit(Map<Identity, KeyHistory> keys) {
        Set<Identity> hit = new HashSet<>();
        for (Outage outage : outages) {
            if (outage.fault().identity() != null) {
                hit.add(outage.fault().identity());
            }
        }
        Set<Kind> missing = EnumSet.of(Kind.CLOCK, Kind.FRONT, Kind.MACHINE);
        List<Outage> instants = outages.stream()
                .filter(outage -> !missing.contains(outage.fault().kind()))
                .toList();
        keys.forEach((identity, key) -> {
            Map<ClientEvent.Try, Instant> ends = new HashMap<>();
            key.clients().stream()
                    .filter(event -> !(event instanceof Asked))
                    .forEach(event -> ends.put(event.which(), event.at()));
            key.asked().forEach(asked -> {
                Instant end = ends.get(asked.which());
                if (end != null
                        && instants.stream()
                                .anyMatch(outage -> outage.hits(asked.which().target())
                                        && !outage.fault().at().isBefore(asked.at())
                                        && !outage.fault().at().isAfter(end))) {
                    hit.add(identity);
                }
            });
        });
        return hit;
    }
}
