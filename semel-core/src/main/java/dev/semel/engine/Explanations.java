package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Refusal;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Says in what a request differs from the one that its key was used for, without keeping that one (I7: no value of it is stored
 * in clear, and none is revealed).
 *
 * <ol>
 *   <li>A claim carries an outline of its request: names, structure, and keyed digests of values, under a key that is derived from
 *       the secret and the record's identity.
 *   <li>The outline is encrypted, since names can be data, too. The name of the claim's holder is the nonce: no other claim has it.
 *   <li>On a mismatch the request at hand is compared with the outline of the record, which has the same identity, hence the same
 *       scope. Of the record, nothing but names that its own scope has sent gets into the answer.
 *   <li>Each scope gets so many explanations in a time, so that values cannot be found out by trying.
 *   <li>Whatever goes wrong, the mismatch stays a mismatch, and is answered without an explanation.
 * </ol>
 */
final class Explanations {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** Enough for some thirty members; a typical request takes a quarter of it. */
    private static final int MOST_OUTLINE_BYTES = 480;

    private static final String HMAC = "HmacSHA256";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int AES_BYTES = 16;
    private static final int TAG_BITS = 96;
    private static final int TAG_BYTES = TAG_BITS / 8;

    private final SecretKeySpec secret;
    private final ExplanationLimit limit;

    private Explanations(byte[] secret, Timer timer) {
        this.secret = new SecretKeySpec(secret, HMAC);
        this.limit = new ExplanationLimit(timer);
    }

    /** Returns what explains mismatches on a store; null where its secret cannot be read. */
    static @Nullable Explanations on(Store store, Timer timer, ExplanationSecret secret, Envelope envelope) {
        return secret.in(store, timer, envelope)
                .map(bytes -> new Explanations(bytes, timer))
                .orElse(null);
    }

    /** The sealed outline of a request, for the holder of its claim with this name; null where it says nothing, or nothing fits. */
    @Nullable
    String outline(Intent intent, String holderName) {
        Intent.Details details = intent.details();
        if (details == null) {
            return null;
        }
        int most = Math.min(MOST_OUTLINE_BYTES, roomBehind(Holder.text(holderName, intent.description())) - TAG_BYTES);
        try {
            RecordKeys keys = keysOf(intent.identity());
            byte[] outline = details.outline(keys.digests(), most);
            if (outline.length == 0) {
                return null;
            }
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys, holderName).doFinal(outline);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
        } catch (GeneralSecurityException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a claim has no outline for explained mismatches", e);
            return null;
        }
    }

    /** How many bytes fit behind this text and a line feed, in base64. */
    private static int roomBehind(String text) {
        int left = Holder.MOST_BYTES - text.getBytes(StandardCharsets.UTF_8).length - 1;
        return left / 4 * 3;
    }

    /** Whether a mismatch of this intent would be explained now, if the record has an outline. */
    boolean mayExplain(Intent intent) {
        return intent.details() != null && limit.hasLeft(intent.identity().scope());
    }

    /** The mismatch of an intent with a record of the same identity. */
    Refusal.Mismatch explain(Intent intent, StoredRecord record) {
        String sealed = Holder.outlineIn(record.holder());
        Intent.Details details = intent.details();
        if (sealed == null
                || details == null
                || !limit.tryTake(intent.identity().scope())) {
            return new Refusal.Mismatch();
        }
        try {
            RecordKeys keys = keysOf(record.identity());
            byte[] outline = cipher(Cipher.DECRYPT_MODE, keys, Holder.nameIn(record.holder()))
                    .doFinal(Base64.getUrlDecoder().decode(sealed));
            return details.differencesFrom(outline, keys.digests());
        } catch (GeneralSecurityException | RuntimeException e) {
            // Under another secret, or damaged.
            LOG.log(System.Logger.Level.DEBUG, "a mismatch cannot be explained", e);
            return new Refusal.Mismatch();
        }
    }

    /**
     * The keys of one record.
     *
     * @param digests makes digests of values
     */
    private record RecordKeys(Mac digests, SecretKeySpec seal) {}

    private RecordKeys keysOf(Identity identity) throws GeneralSecurityException {
        String scope = identity.scope().value();
        String key = identity.key().value();
        Mac mac = Mac.getInstance(HMAC);
        mac.init(secret);
        byte[] seal = mac.doFinal(Framed.bytes("seal", scope, key));
        byte[] digests = mac.doFinal(Framed.bytes("digests", scope, key));
        mac.init(new SecretKeySpec(digests, HMAC));
        return new RecordKeys(mac, new SecretKeySpec(seal, 0, AES_BYTES, "AES"));
    }

    private static Cipher cipher(int mode, RecordKeys keys, String holderName) throws GeneralSecurityException {
        byte[] nonce = Arrays.copyOf(HexFormat.of().parseHex(holderName), NONCE_BYTES);
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, keys.seal(), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
