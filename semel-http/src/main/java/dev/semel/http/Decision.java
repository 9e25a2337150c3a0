package dev.semel.http;

/** The decision about a protected request, after its claim. */
public sealed interface Decision {

    /** It is answered without its handler: replayed, or refused. */
    record Reply(Answer answer) implements Decision {}

    /** Its handler runs, and the {@link Run} is settled before the first byte of the response leaves. */
    record Proceed(Run run) implements Decision {}

    /**
     * Its handler runs without protection, since the store is unavailable and the route fails open. The response gets the
     * header {@link Answer#PROTECTED} with the value {@code false}.
     */
    record Unprotected() implements Decision {}
}
