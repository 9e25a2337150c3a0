package dev.semel.http;

/** The decision about a request before its body is read. */
public sealed interface Admission {

    /** The request is not protected. */
    record PassThrough() implements Admission {}

    /** The request is answered at once; its body need not be read. */
    record Reply(Answer answer) implements Admission {}

    /** The request asks for the state of a key: {@link Gate#status} answers it. */
    record Status() implements Admission {}

    /** The request is protected: read its body, up to the policy's limit, and {@link Gate#claim claim}. */
    record Protect(RoutePolicy policy) implements Admission {}
}
