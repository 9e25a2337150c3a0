package dev.semel.http;

import dev.semel.fingerprint.Parts;

/** What counts in the fingerprint of a request. */
final class RequestParts {

    private RequestParts() {}

    /**
     * Method, path as received, canonical query, media type, the route's headers, and the body in the route's form.
     *
     * @throws dev.semel.fingerprint.BodyLimitException when the body asks for more than is allowed
     */
    static Parts of(RequestView request, RoutePolicy policy) {
        Parts.Builder parts = Parts.builder()
                .add("method", request.method())
                .add("path", request.path())
                .add("query", request.query())
                .add("media-type", MediaTypes.significant(request.mediaType()));
        for (String name : policy.fingerprintHeaders()) {
            for (String value : request.header(name)) {
                parts.add("header " + name, value);
            }
        }
        return parts.body(policy.bodyForm(), request.mediaType(), request.body())
                .build();
    }
}
