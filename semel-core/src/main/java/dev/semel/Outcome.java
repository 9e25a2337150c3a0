package dev.semel;

/** What an attempt ended with, or what reconciliation found out that it had ended with. */
public sealed interface Outcome {

    /** The operation happened; this response is replayed from now on. A decline is a completed operation too. */
    record Completed(Response response) implements Outcome {}

    /** The operation provably had no effect: a later request may execute it. */
    record NotExecuted(String reason) implements Outcome {}

    /** It is not known whether the operation happened. The reason is a short code for operators, such as {@code timeout}. */
    record Unknown(String reason) implements Outcome {}
}
