package dev.semel.reconcile;

import dev.semel.Codec;
import dev.semel.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a resolver found out about an unknown outcome; the detail is kept with the record. */
public sealed interface Finding {

    /** What was seen, such as the provider's charge id: for people, never the response itself. */
    String detail();

    /**
     * It happened, well or badly; this response is what the attempt would have recorded. A decline is an answer too: it
     * happened, with the response that says so.
     */
    record Happened(Response response, String detail) implements Finding {
        public Happened {
            Objects.requireNonNull(response, "it happened, but there is no response to replay");
            Objects.requireNonNull(detail, NO_DETAIL);
        }
    }

    /**
     * It happened and failed for good, where failures are exceptions: retries get what they would have got if the attempt
     * had thrown this and the failure had been recorded.
     */
    record Failed(Throwable failure, String detail) implements Finding {
        public Failed {
            Objects.requireNonNull(failure, "it failed, but there is no failure to replay");
            Objects.requireNonNull(detail, NO_DETAIL);
        }
    }

    /** Nobody knows of it. That counts once the settle window has passed; until then it may only be late. */
    record DidNotHappen(String detail) implements Finding {
        public DidNotHappen {
            Objects.requireNonNull(detail, NO_DETAIL);
        }
    }

    /** It is pending, or whoever would know did not say. */
    record CannotTellYet(String detail) implements Finding {
        public CannotTellYet {
            Objects.requireNonNull(detail, NO_DETAIL);
        }
    }

    String NO_DETAIL = "a finding says what was seen";

    /** It happened, with this result of the operation. */
    static <T extends @Nullable Object> Finding happened(Codec<T> codec, T value, String detail) {
        return new Happened(Response.of(codec.encode(value)), detail);
    }
}
