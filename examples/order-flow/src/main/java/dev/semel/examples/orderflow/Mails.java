package dev.semel.examples.orderflow;

import java.io.IOException;

/** The mail provider, a service that takes part in no transaction. */
interface Mails {

    /**
     * Sends a mail. The provider does not detect duplicates: a second call sends a second mail.
     *
     * @param key stored with the mail, for {@link #wasSent}
     * @throws dev.semel.NotExecutedException when it was certainly not sent
     * @throws dev.semel.OutcomeUnknownException when it may have been sent
     */
    void send(String key, String to, String text);

    /**
     * Whether a mail was sent with this key.
     *
     * @throws IOException when the provider did not answer
     */
    boolean wasSent(String key) throws IOException, InterruptedException;
}
