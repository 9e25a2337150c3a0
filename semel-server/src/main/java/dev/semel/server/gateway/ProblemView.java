package dev.semel.server.gateway;

import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.Answer;
import dev.semel.http.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a refusal says, read from its JSON.
 *
 * @param code such as {@code idempotency_key_missing}; empty when the answer has none
 */
record ProblemView(String code, String detail, boolean retryable) {

    private static final Pointer CODE = Pointer.of("/code");
    private static final Pointer DETAIL = Pointer.of("/detail");
    private static final Pointer RETRYABLE = Pointer.of("/retryable");
    private static final Pointer STRIPE_CODE = Pointer.of("/error/code");
    private static final Pointer STRIPE_MESSAGE = Pointer.of("/error/message");

    /** The only code that Stripe's form has by another name. */
    private static final Map<String, String> STRIPE_NAMES =
            Map.of("idempotency_key_in_use", ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS.code());

    /** Reads an answer of the protocol or of the gateway itself, never one of a service. */
    static ProblemView of(Answer answer) {
        Map<Pointer, byte[]> values;
        try {
            values = CanonicalJson.standard()
                    .select(answer.body().bytes(), List.of(CODE, DETAIL, RETRYABLE, STRIPE_CODE, STRIPE_MESSAGE))
                    .orElse(Map.of());
        } catch (BodyLimitException e) {
            values = Map.of();
        }
        String stripe = text(values, STRIPE_CODE);
        if (!stripe.isEmpty()) {
            return new ProblemView(
                    STRIPE_NAMES.getOrDefault(stripe, stripe),
                    text(values, STRIPE_MESSAGE),
                    answer.headers().first("Retry-After").isPresent());
        }
        byte[] retryable = values.get(RETRYABLE);
        return new ProblemView(
                text(values, CODE),
                text(values, DETAIL),
                retryable != null && new String(retryable, StandardCharsets.US_ASCII).equals("true"));
    }

    private static String text(Map<Pointer, byte[]> values, Pointer pointer) {
        byte[] value = values.get(pointer);
        return value == null || value.length == 0 || value[0] != '"' ? "" : CanonicalJson.text(value);
    }
}
