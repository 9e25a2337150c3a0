package dev.semel;

/** What evidence says about an unknown outcome. */
public sealed interface Verdict {

    /** It happened; this response, encoded by the operation's codec, is what the attempt would have recorded. */
    record Happened(Response response) implements Verdict {}

    /**
     * It happened and failed for good, such as a declined card: retries get a {@link RecordedFailureException}, as if the
     * attempt had thrown this and the failure had been recorded. Where failures are responses, as in HTTP, use
     * {@link Happened}.
     */
    record Failed(Throwable failure) implements Verdict {}

    /** It did not happen and no longer can: the next request may execute. */
    record DidNotHappen() implements Verdict {}
}
