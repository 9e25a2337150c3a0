package dev.semel.engine;

import dev.semel.Identity;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives the keys that are sent to other services from a record's identity: the same on every attempt. */
final class DownstreamKeys {

    private static final byte[] NO_SECRET = "semel".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec secret;

    DownstreamKeys(byte[] secret) {
        this.secret = new SecretKeySpec(secret.length == 0 ? NO_SECRET : secret, "HmacSHA256");
    }

    String derive(Identity identity, String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            byte[] digest = mac.doFinal(
                    Framed.bytes(identity.scope().value(), identity.key().value(), purpose));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
