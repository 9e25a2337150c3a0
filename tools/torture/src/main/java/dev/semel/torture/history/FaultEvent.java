package dev.semel.torture.history;

import dev.semel.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A fault, as the conductor logs it. */
public sealed interface FaultEvent extends HistoryEvent {

    /** What a fault does. */
    enum Kind {
        /** A process ended without a chance to do anything. */
        KILL,
        /** A process was stopped, and continued. */
        STOP,
        /** The store did not answer, or not every process. */
        STORE,
        /** The cache in front of the store was emptied, paused, killed or poisoned, which excuses no wrong answer. */
        FRONT,
        /** One call of the store failed: it was not written, or its answer was lost. */
        FAILED_CALL,
        /** A process has a clock that is wrong. */
        CLOCK,
        /** The machine of the run stood still, for a reason outside of the run. */
        MACHINE
    }

    /**
     * A fault began.
     *
     * @param number of the fault in this history
     * @param target the process that it hits, or {@link #ALL}
     * @param identity whose request was at that point; null when that is not known
     */
    record Began(
            Instant at,
            int number,
            Kind kind,
            String target,
            @Nullable Identity identity,
            String detail) implements FaultEvent {

        /** The target of a fault that every process notices. */
        public static final String ALL = "all";

        @Override
        public String line() {
            Line line = new Line(at, "began")
                    .with("number", number)
                    .with("kind", kind)
                    .with("target", target)
                    .with("detail", detail);
            return (identity == null ? line : line.with(identity)).toString();
        }
    }

    /** A fault is over, and what it hit works again. */
    record Ended(Instant at, int number) implements FaultEvent {

        @Override
        public @Nullable Identity identity() {
            return null;
        }

        @Override
        public String line() {
            return new Line(at, "ended").with("number", number).toString();
        }
    }

    /** Reads a line of the faults' log. */
    static FaultEvent parse(String text) {
        Line line = Line.parse(text);
        return switch (line.kind()) {
            case "began" ->
                new Began(
                        line.at(),
                        (int) line.number("number"),
                        Kind.valueOf(line.text("kind")),
                        line.text("target"),
                        line.textOrNull("scope") == null ? null : line.identity(),
                        line.text("detail"));
            case "ended" -> new Ended(line.at(), (int) line.number("number"));
            default -> throw new IllegalArgumentException("not a line of the faults' log: " + text);
        };
    }
}
