package dev.semel.client;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Supplier;

/** The default source of keys: UUIDs of version 7 (RFC 9562), which are unique and sort by their time. */
final class UuidV7 implements Supplier<String> {

    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final ClientTime time;
    private final SecureRandom random = new SecureRandom();

    UuidV7(ClientTime time) {
        this.time = time;
    }

    @Override
    public String get() {
        long high = time.now().toEpochMilli() << 16 | VERSION_7 | random.nextInt(0x1000);
        long low = VARIANT | random.nextLong() >>> 2;
        return new UUID(high, low).toString();
    }
}
