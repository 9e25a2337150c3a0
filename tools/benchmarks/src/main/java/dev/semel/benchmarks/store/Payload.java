package dev.semel.benchmarks.store;

import dev.semel.Fingerprint;
import dev.semel.fingerprint.Fingerprinter;
import java.util.Random;

/** What every contender stores: the same scope, fingerprint and response. */
public final class Payload {

    public static final String SCOPE = "acme";
    public static final Fingerprint FINGERPRINT = Fingerprinter.sha256().ofText("100 EUR from alice");

    private static final int RESPONSE_BYTES = 256;

    /** Any number: it makes the response incompressible, and the same in every run. */
    private static final long SEED = 42;

    private Payload() {}

    public static byte[] response() {
        byte[] bytes = new byte[RESPONSE_BYTES];
        new Random(SEED).nextBytes(bytes);
        return bytes;
    }
}
