package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;

/** The answers of the gateway itself, about requests that no route protects or that cannot be understood. */
final class GatewayProblems {

    private GatewayProblems() {}

    /** The request can be understood in more than one way. */
    static Answer malformed() {
        return problem(400, "gateway_request_malformed", "The request is malformed", "It was not forwarded.");
    }

    /** The framing of the body is wrong. */
    static Answer malformedBody() {
        return problem(
                400,
                "gateway_request_malformed",
                "The body of the request is malformed",
                "It was not forwarded whole.");
    }

    /** The body of the request did not arrive in time. */
    static Answer tooSlow() {
        return problem(408, "gateway_request_too_slow", "The request did not arrive in time", "It was not forwarded.");
    }

    /** The body of a request that passes through stopped in its middle. */
    static Answer stalled() {
        return problem(
                408, "gateway_request_too_slow", "The request did not arrive in time", "A part of it was forwarded.");
    }

    /** There are as many requests in progress as the gateway takes. */
    static Answer overloaded() {
        Answer problem = problem(
                503,
                "gateway_overloaded",
                "Too many requests are in progress",
                "It was not forwarded: repeat it later.");
        return new Answer(503, problem.headers().with("Retry-After", "1"), problem.body());
    }

    /** A client of gRPC streams. */
    static Answer streaming() {
        return problem(
                400,
                "idempotency_streaming_unsupported",
                "Only unary calls can be protected",
                "This call does not have exactly one message, and was not forwarded: call it without an idempotency key.");
    }

    static Answer noRoute() {
        return problem(404, "gateway_no_route", "No service is configured for this request", "It was not forwarded.");
    }

    /** The service cannot be reached, and got nothing of the request. */
    static Answer unreachable() {
        return problem(
                503, "gateway_upstream_unreachable", "The service cannot be reached", "The request was not forwarded.");
    }

    /** The service broke off. */
    static Answer brokenOff() {
        return problem(
                502,
                "gateway_upstream_failed",
                "The service did not answer",
                "It may or may not have processed the request, which had no idempotency key.");
    }

    static Answer internal() {
        return problem(500, "gateway_failed", "The gateway failed", "The request was not forwarded.");
    }

    private static Answer problem(int status, String code, String title, String detail) {
        String json = "{\"type\":\"urn:semel:problem:" + code + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + detail + "\",\"code\":\"" + code + "\"}";
        return new Answer(
                status,
                Headers.of("Content-Type", "application/problem+json").with("Cache-Control", "no-store"),
                Body.ofText(json));
    }
}
