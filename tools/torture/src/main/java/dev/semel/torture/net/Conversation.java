package dev.semel.torture.net;

import java.io.IOException;

/** One connection to a database's server, listened to while it passes a proxy. */
interface Conversation {

    /** Reads what the client sends. */
    void asked(byte[] bytes);

    /**
     * Reads what the server sends.
     *
     * @return what may pass
     * @throws IOException when this was the answer to lose
     */
    byte[] answered(byte[] bytes) throws IOException;

    /** The answer was to be lost. */
    static IOException lost() {
        return new IOException("the answer was to be lost");
    }
}
