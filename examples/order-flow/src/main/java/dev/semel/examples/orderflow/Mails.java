package dev.semel.examples.orderflow;

import java.io.IOException;

/** Who sends mails: a service that nobody can have in a transaction. */
interface Mails {

    /**
     * Sends a mail, and sends it again when asked again.
     *
     * @param key kept with the mail, so that it can be asked for
     * @throws dev.semel.NotExecutedException when it was certainly not sent
     * @throws dev.semel.OutcomeUnknownException when it may have been
     */
    void send(String key, String to, String text);

    /**
     * Whether a mail was sent with this key.
     *
     * @throws IOException when nobody answered
     */
    boolean wasSent(String key) throws IOException, InterruptedException;
}
