package dev.semel.torture.history;

import dev.semel.Identity;
import dev.semel.State;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the store says: every change of a record, and the record as it was read; times are by the store's clock. */
public sealed interface AuditEvent extends HistoryEvent {

    @Override
    Identity identity();

    /** A state and the fence under which a record has it. */
    record Standing(State state, long fence) {}

    /**
     * One entry of a record's audit.
     *
     * @param number orders the entries of one record
     * @param change what was done, as the audit names it
     * @param from null when there was no record
     * @param to the record after the change
     */
    record Changed(
            Instant at,
            Identity identity,
            long number,
            String change,
            @Nullable State from,
            Standing to,
            String who,
            @Nullable String why)
            implements AuditEvent {

        /** The change by which an attempt ends itself; of an unknown record, this is its late answer. */
        public static final String SETTLED = "settled";

        /** Whether an attempt settled its own unknown record. */
        boolean isLateAnswer() {
            return from == State.UNKNOWN && change.equals(SETTLED);
        }

        @Override
        public String line() {
            return new Line(at, "changed")
                    .with(identity)
                    .with("number", number)
                    .with("change", change)
                    .with("from", from == null ? null : from.label())
                    .with("to", to.state().label())
                    .with("fence", to.fence())
                    .with("who", who)
                    .with("why", why)
                    .toString();
        }
    }

    /**
     * A record as it was read.
     *
     * @param moment why it was read: {@link #SETTLING} or {@link #END}
     * @param overdue for how long it has been in progress although its lease has ended
     * @param meaning of the request that it belongs to
     */
    record Read(Instant at, String moment, Identity identity, Standing standing, Duration overdue, String meaning)
            implements AuditEvent {

        /** Read a lease and two sweeps after the last fault. */
        public static final String SETTLING = "settling";

        /** Read when nothing happens any more. */
        public static final String END = "end";

        @Override
        public String line() {
            return new Line(at, "read")
                    .with(identity)
                    .with("moment", moment)
                    .with("state", standing.state().label())
                    .with("fence", standing.fence())
                    .with("overdue", overdue)
                    .with("meaning", meaning)
                    .toString();
        }
    }

    /** Reads a line of the audit. */
    static AuditEvent parse(String text) {
        Line line = Line.parse(text);
        return switch (line.kind()) {
            case "changed" -> {
                String from = line.textOrNull("from");
                yield new Changed(
                        line.at(),
                        line.identity(),
                        line.number("number"),
                        line.text("change"),
                        from == null ? null : State.ofLabel(from),
                        new Standing(State.ofLabel(line.text("to")), line.number("fence")),
                        line.text("who"),
                        line.textOrNull("why"));
            }
            case "read" ->
                new Read(
                        line.at(),
                        line.text("moment"),
                        line.identity(),
                        new Standing(State.ofLabel(line.text("state")), line.number("fence")),
                        Duration.parse(line.text("overdue")),
                        line.text("meaning"));
            default -> throw new IllegalArgumentException("a store does not write: " + text);
        };
    }
}
