package dev.semel.http;

/** The answer to a duplicate of a running request, after it has waited as long as its operation allows. */
public enum InProgressAnswer {
    /** 409 with {@code Retry-After}. */
    CONFLICT,
    /** 202 with {@code Retry-After} and the {@code Location} of the status resource. */
    ACCEPTED
}
