package dev.semel;

/** What evidence says about an unknown outcome. */
public sealed interface Verdict {

    /** It happened; this response, encoded by the operation's codec, is what the attempt would have recorded. */
    record Happened(Response response) implements Verdict {}

    /** It did not happen and no longer can: the next request may execute. */
    record DidNotHappen() implements Verdict {}
}
