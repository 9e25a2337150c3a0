package dev.semel.http;

/**
 * The form in which an application's refusals are sent: the protocol decides status, {@code Retry-After}, {@code Link} and the
 * headers about the key, and a renderer the media type and the body.
 *
 * <pre>{@code
 * Gate.on(semel, routes, scopes)
 *         .problemRenderer((problem, request) -> ProblemRenderer.Rendered.json(
 *                 "{\"error\":\"" + problem.code().code() + "\"}"))
 * }</pre>
 *
 * <p>It is called on the thread that answers, for many requests at once, and must not block. Where it throws, the problem is sent in
 * its standard form and the failure is logged. A failure of a handler that is recorded is recorded as it was rendered.
 */
@FunctionalInterface
public interface ProblemRenderer {

    /** The form of RFC 9457: {@code application/problem+json}. */
    ProblemRenderer STANDARD =
            (problem, request) -> new Rendered(Problem.MEDIA_TYPE, Body.ofText(problem.json()), Headers.NONE);

    Rendered render(Problem problem, RequestView request);

    /**
     * A rendered problem.
     *
     * @param headers sent with it, except for those that the protocol sets itself
     */
    record Rendered(String mediaType, Body body, Headers headers) {

        /** A problem as {@code application/json}, without further headers. */
        public static Rendered json(String text) {
            return new Rendered("application/json", Body.ofText(text), Headers.NONE);
        }
    }
}
