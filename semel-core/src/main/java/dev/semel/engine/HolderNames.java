package dev.semel.engine;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Names for the holders of claims, each of which no other claim has, in this process or any other.
 *
 * <p>Every one is random: a counter would repeat itself in two copies of a process that were restored from one snapshot.
 */
final class HolderNames {

    private static final int NAME_BYTES = 16;

    private final SecureRandom random = new SecureRandom();

    String next() {
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        return HexFormat.of().formatHex(name);
    }
}
