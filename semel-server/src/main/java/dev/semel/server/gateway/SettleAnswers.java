package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.server.gateway.config.SettleToken;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** The answers to a service that settles an outcome. */
final class SettleAnswers {

    /** When the lease is over, the gateway still has to notice that. */
    private static final long NOTICED_AFTER_SECONDS = 10;

    private SettleAnswers() {}

    static Answer settled(String state, long fence) {
        return json(
                200, "application/json", new JsonObject().put("state", state).put("fence", fence));
    }

    static Answer off() {
        return of(
                403,
                "settle_off",
                "Services cannot settle outcomes here",
                "Set the environment variable " + SettleToken.VARIABLE
                        + " of the gateway, or settle.token in its file.");
    }

    static Answer unauthorized() {
        return of(401, "settle_unauthorized", "The token is missing or wrong", "Send Authorization: Bearer TOKEN.");
    }

    static Answer invalid(String detail) {
        return of(400, "settle_invalid", "The request is malformed", detail);
    }

    static Answer noSuchRecord() {
        return of(404, "settle_no_such_record", "This scope has no record of this key", "Nothing was changed.");
    }

    /** The service has to look again at what it knows. */
    static Answer fenceChanged(String state, long fence) {
        return problem(
                409,
                about(
                                409,
                                "settle_fence_changed",
                                "Another attempt has another fence",
                                "Nothing was changed: what is known of one attempt does not settle another.")
                        .put("state", state)
                        .put("fence", fence));
    }

    static Answer inProgress(Duration leaseRemaining) {
        Answer answer = of(
                409,
                "settle_in_progress",
                "The attempt is still in progress",
                "Its lease has not ended, or that was not noticed yet. Repeat this request later.");
        long seconds = leaseRemaining.toSeconds() + NOTICED_AFTER_SECONDS;
        return new Answer(409, answer.headers().with("Retry-After", String.valueOf(seconds)), answer.body());
    }

    static Answer settledOtherwise(String state) {
        return problem(
                409,
                about(
                                409,
                                "settle_settled_otherwise",
                                "The attempt was settled in another way",
                                "Nothing was changed. If the service is right, look into the record's history.")
                        .put("state", state));
    }

    static Answer storeFailed() {
        Answer answer = of(503, "settle_store_failed", "The store does not answer", "Repeat this request later.");
        return new Answer(503, answer.headers().with("Retry-After", "5"), answer.body());
    }

    static Answer of(int status, String code, String title, String detail) {
        return problem(status, about(status, code, title, detail));
    }

    private static JsonObject about(int status, String code, String title, String detail) {
        return new JsonObject()
                .put("type", "urn:semel:problem:" + code)
                .put("title", title)
                .put("status", status)
                .put("detail", detail)
                .put("code", code);
    }

    private static Answer problem(int status, JsonObject content) {
        return json(status, "application/problem+json", content);
    }

    private static Answer json(int status, String type, JsonObject content) {
        return new Answer(
                status,
                Headers.of("Content-Type", type).with("Cache-Control", "no-store"),
                Body.ofText(content.encode()));
    }
}
