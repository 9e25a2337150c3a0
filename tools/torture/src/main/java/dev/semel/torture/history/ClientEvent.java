package dev.semel.torture.history;

import dev.semel.Identity;
import java.time.Instant;

/** What clients write: each try of each request, and what came back. */
public sealed interface ClientEvent extends HistoryEvent {

    Try which();

    @Override
    default Identity identity() {
        return which().identity();
    }

    /**
     * One try of one client's request.
     *
     * @param client names one request that is repeated until it has a final answer
     * @param number counts its tries
     * @param meaning what the request asks for: two requests mean the same when this is equal
     * @param target the process that was asked
     */
    record Try(String client, int number, Identity identity, String meaning, String target) {

        private Line on(Line line) {
            return line.with("client", client)
                    .with("try", number)
                    .with(identity)
                    .with("meaning", meaning)
                    .with("target", target);
        }

        private static Try of(Line line) {
            return new Try(
                    line.text("client"),
                    (int) line.number("try"),
                    line.identity(),
                    line.text("meaning"),
                    line.text("target"));
        }
    }

    /** The request is about to be sent. */
    record Asked(Instant at, Try which) implements ClientEvent {
        @Override
        public String line() {
            return which.on(new Line(at, "asked")).toString();
        }
    }

    /**
     * An answer came.
     *
     * @param status as HTTP has it
     * @param body the exact bytes, as text
     */
    record Answered(Instant at, Try which, int status, String body) implements ClientEvent {

        /** Whether the client stops asking: charged, declined, or refused for good. */
        public boolean isFinal() {
            return isOutcome() || isLate() || status == 422;
        }

        /** Whether the request was refused because the retention of its key has passed: it was not executed now. */
        public boolean isLate() {
            return status == 412;
        }

        /** Whether the answer says what became of the operation. */
        public boolean isOutcome() {
            return status == 201 || status == 402;
        }

        @Override
        public String line() {
            return which.on(new Line(at, "answered"))
                    .with("status", status)
                    .with("body", body)
                    .toString();
        }
    }

    /** No answer came: the connection broke, or patience ended. */
    record Unanswered(Instant at, Try which, String why) implements ClientEvent {
        @Override
        public String line() {
            return which.on(new Line(at, "unanswered")).with("why", why).toString();
        }
    }

    /** Reads a line of the clients' log. */
    static ClientEvent parse(String text) {
        Line line = Line.parse(text);
        Try which = Try.of(line);
        return switch (line.kind()) {
            case "asked" -> new Asked(line.at(), which);
            case "answered" -> new Answered(line.at(), which, (int) line.number("status"), line.text("body"));
            case "unanswered" -> new Unanswered(line.at(), which, line.text("why"));
            default -> throw new IllegalArgumentException("clients do not write: " + text);
        };
    }
}
