package dev.semel.reconcile;

import dev.semel.Codec;
import dev.semel.RecordedFailureException;
import dev.semel.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a resolver, a webhook or a person found out about an unknown outcome. */
public sealed interface Verdict {

    /** What was seen, such as the provider's charge id: stored as evidence, for people; never the response itself. */
    String detail();

    /** A verdict that settles the record. */
    sealed interface Final extends Verdict {

        /** The same verdict with another detail. */
        Final withDetail(String detail);
    }

    /**
     * It happened, well or badly; this response, encoded by the operation's codec, is what the attempt would have recorded. A
     * decline is an answer too: it happened, with the response that says so.
     */
    record Happened(Response response, String detail) implements Final {
        public Happened {
            Objects.requireNonNull(response, "it happened, but there is no response to replay");
            Objects.requireNonNull(detail, NO_DETAIL);
        }

        @Override
        public Happened withDetail(String other) {
            return new Happened(response, other);
        }
    }

    /**
     * It happened and failed for good, where failures are exceptions: retries get a {@link RecordedFailureException}, as if the
     * attempt had thrown this and the failure had been recorded. Where failures are responses, as in HTTP, use
     * {@link Happened}.
     */
    record Failed(Throwable failure, String detail) implements Final {
        public Failed {
            Objects.requireNonNull(failure, "it failed, but there is no failure to replay");
            Objects.requireNonNull(detail, NO_DETAIL);
        }

        @Override
        public Failed withDetail(String other) {
            return new Failed(failure, other);
        }
    }

    /**
     * It did not happen and no longer can: the next request may execute. From a resolver, "not found" counts once the settle
     * window has passed; until then the request may only be late.
     */
    record DidNotHappen(String detail) implements Final {
        public DidNotHappen {
            Objects.requireNonNull(detail, NO_DETAIL);
        }

        @Override
        public DidNotHappen withDetail(String other) {
            return new DidNotHappen(other);
        }
    }

    /** It is pending, or the provider did not answer: the resolver is asked again later. */
    record CannotTellYet(String detail) implements Verdict {
        public CannotTellYet {
            Objects.requireNonNull(detail, NO_DETAIL);
        }
    }

    String NO_DETAIL = "a verdict says what was seen: give a detail";

    /** It happened, with this result of the operation. */
    static <T extends @Nullable Object> Final happened(Codec<T> codec, T value, String detail) {
        return new Happened(Response.of(codec.encode(value)), detail);
    }
}
