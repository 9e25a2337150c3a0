package dev.semel.http;

/** What a gate says of a request before its body is read. */
public sealed interface Admission {

    /** The request is none of the protocol's business. */
    record PassThrough() implements Admission {}

    /** The request is answered; its body is of no interest. */
    record Reply(Answer answer) implements Admission {}

    /** The request asks for the state of a key: {@link Gate#status} answers it. */
    record Status() implements Admission {}

    /** The request is protected: read its body, up to the policy's limit, and {@link Gate#claim claim}. */
    record Protect(RoutePolicy policy) implements Admission {}
}
