package dev.semel.admin.access;

import dev.semel.admin.json.Json;
import java.nio.charset.StandardCharsets;

/** A refusal, as an RFC 9457 problem. */
public final class AdminProblem extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String title;

    /** @param detail what happened, and what to do; never a key or a body */
    public AdminProblem(int status, String code, String title, String detail) {
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public AdminResponse toResponse() {
        String json = Json.object()
                .with("type", "urn:semel:problem:" + code)
                .with("title", title)
                .with("status", status)
                .with("detail", getMessage())
                .with("code", code)
                .toString();
        return AdminResponse.of(status, "application/problem+json", json.getBytes(StandardCharsets.UTF_8));
    }

    public static AdminProblem invalid(String detail) {
        return new AdminProblem(400, "invalid_request", "The request is malformed", detail);
    }

    public static AdminProblem noSuchRecord() {
        return new AdminProblem(
                404, "no_such_record", "This scope has no record of this key", "Check scope and key; both are exact.");
    }

    public static AdminProblem fenceChanged(long fence, String state) {
        return new AdminProblem(
                409,
                "fence_changed",
                "The record has changed",
                "It is " + state + " with fence " + fence + " now. Nothing was changed. Load the record again.");
    }
}
