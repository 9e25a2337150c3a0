package dev.semel.http;

import dev.semel.fingerprint.ContentCoding;
import dev.semel.fingerprint.Parts;

/** What counts in the fingerprint of a request, and with it in every key that is derived from content. */
final class RequestParts {

    private RequestParts() {}

    /**
     * Method, path as received, canonical query, media type, the route's headers, the coding of the body where it has
     * one, and the body in the route's form.
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
        ContentCoding coding = ContentCoding.of(request.header("Content-Encoding"));
        if (!coding.isIdentity()) {
            parts.add("content-encoding", coding.name());
        }
        return parts.add(
                        "body",
                        coding.read(policy.bodyForm(), request.mediaType(), request.body(), policy.maxRequestBody()))
                .build();
    }
}
