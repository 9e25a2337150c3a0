package dev.semel.server.gateway;

import dev.semel.messaging.webhook.StandardWebhooks;
import dev.semel.server.gateway.config.WebhookSigning;
import dev.semel.testsupport.http.Wire;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Deliveries of a provider, signed as the scheme has it. */
record SignedEvents(WebhookSigning scheme, String secret) {

    static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    static SignedEvents as(WebhookSigning scheme) {
        return new SignedEvents(scheme, SECRET);
    }

    Wire.Request delivery(String path, String id, Instant at, String body) {
        Wire.Request request =
                new Wire.Request("POST", path).body("application/json", body.getBytes(StandardCharsets.UTF_8));
        signature(id, at, body).forEach(request::header);
        return request;
    }

    private Map<String, String> signature(String id, Instant at, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String seconds = String.valueOf(at.getEpochSecond());
        return switch (scheme) {
            case STANDARD_WEBHOOKS -> StandardWebhooks.signedWith(secret).sign(id, at, bytes);
            case STRIPE -> Map.of("Stripe-Signature", "t=" + seconds + ",v1=" + hmac(seconds + "." + body));
            case GITHUB -> Map.of("X-Hub-Signature-256", "sha256=" + hmac(body), "X-GitHub-Delivery", id);
        };
    }

    private String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
