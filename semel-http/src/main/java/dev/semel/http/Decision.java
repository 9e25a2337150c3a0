package dev.semel.http;

/** What becomes of a protected request. */
public sealed interface Decision {

    /** It is answered without its handler: replayed, or refused. */
    record Reply(Answer answer) implements Decision {}

    /** Its handler runs, and the {@link Run} is told what came of it before the first byte of the response leaves. */
    record Proceed(Run run) implements Decision {}

    /**
     * Its handler runs without protection, since the store cannot be asked and the route fails open. The response gets
     * the header {@link Answer#PROTECTED} with the value {@code false}.
     */
    record Unprotected() implements Decision {}
}
