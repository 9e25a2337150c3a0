package dev.semel.torture;

import dev.semel.testsupport.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The Redis in front of a primary store: no fault of it may change an answer. */
final class Front implements AutoCloseable {

    /** Of some hundreds that are there: enough that clients come upon some, few enough that others are replayed. */
    private static final String KEYS_TO_POISON = "60";

    private final RedisServer server = RedisServer.start();
    private final String poison;

    Front() throws IOException {
        try (InputStream in = Front.class.getResourceAsStream("poison.lua")) {
            if (in == null) {
                throw new IOException("this build lacks poison.lua");
            }
            poison = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    String uri() {
        return server.uri();
    }

    void flush() {
        server.call("FLUSHALL");
    }

    /** Writes into it what does not belong there. */
    void poison(int seed) {
        server.call("EVAL", poison, "0", String.valueOf(seed), KEYS_TO_POISON);
        // What the poison itself has looked up does not count.
        server.call("CONFIG", "RESETSTAT");
    }

    void pause() {
        server.pause();
    }

    void goOn() {
        server.resume();
    }

    void kill() {
        server.kill();
    }

    void restart() {
        server.restart();
    }

    /** How many lookups have found something since it was last poisoned or started. */
    String found() {
        return server.info("stats", "keyspace_hits");
    }

    @Override
    public void close() {
        server.close();
    }
}
