package dev.semel.torture.history;

import dev.semel.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event at the provider. It does not deduplicate, so every execution leaves lines of its own. */
public sealed interface LedgerEvent extends HistoryEvent {

    /**
     * One request to charge, as it reached the provider.
     *
     * @param arrival unique to it, and part of every answer about it
     * @param identity as the caller named it
     * @param fence of the attempt that sent it; zero when there was none
     * @param meaning what is charged
     */
    record Request(String arrival, Identity identity, long fence, String meaning) {

        private Line on(Line line) {
            return line.with("arrival", arrival)
                    .with(identity)
                    .with("fence", fence)
                    .with("meaning", meaning);
        }

        private static Request of(Line line) {
            return new Request(line.text("arrival"), line.identity(), line.number("fence"), line.text("meaning"));
        }
    }

    /** An event of one request. */
    sealed interface OfRequest extends LedgerEvent {

        Request request();

        @Override
        default Identity identity() {
            return request().identity();
        }
    }

    /** The request arrived; {@code plan} is how the provider will treat it. */
    record Arrived(Instant at, Request request, String plan) implements OfRequest {
        @Override
        public String line() {
            return request.on(new Line(at, "arrived")).with("plan", plan).toString();
        }
    }

    /** Money moved: this is what must not happen twice. */
    record Charged(Instant at, Request request) implements OfRequest {
        @Override
        public String line() {
            return request.on(new Line(at, "charged")).toString();
        }
    }

    /** The provider declined for good. */
    record Declined(Instant at, Request request) implements OfRequest {
        @Override
        public String line() {
            return request.on(new Line(at, "declined")).toString();
        }
    }

    /** A lookup of a charge; {@code arrival} is null when there was none. */
    record LookedUp(Instant at, Identity identity, @Nullable String arrival) implements LedgerEvent {
        @Override
        public String line() {
            return new Line(at, "looked-up")
                    .with(identity)
                    .with("arrival", arrival)
                    .toString();
        }
    }

    /** Reads a line of the ledger. */
    static LedgerEvent parse(String text) {
        Line line = Line.parse(text);
        return switch (line.kind()) {
            case "arrived" -> new Arrived(line.at(), Request.of(line), line.text("plan"));
            case "charged" -> new Charged(line.at(), Request.of(line));
            case "declined" -> new Declined(line.at(), Request.of(line));
            case "looked-up" -> new LookedUp(line.at(), line.identity(), line.textOrNull("arrival"));
            default -> throw new IllegalArgumentException("not a line of the ledger: " + text);
        };
    }
}
