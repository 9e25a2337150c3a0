package dev.semel.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The key of an intent.
 *
 * <p>It is the journal's, if the journal contains the intent; otherwise the caller's, or a new one. With a journal, it is
 * recorded before it is used.
 *
 * @param resumed whether the intent was recorded before, so that it may have been sent
 */
record IntentKey(String value, boolean resumed) {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    static CompletableFuture<IntentKey> of(ClientIntent intent, ClientSettings settings) {
        KeyHeader header = settings.header();
        if (intent.request().headers().firstValue(header.name()).isPresent()) {
            throw new IllegalArgumentException("the request already has the header " + header.name()
                    + ": leave it out, and pass the key with ClientIntent.withKey");
        }
        String proposed = KeyHeader.requireKey(intent.key().orElseGet(settings.keys()));
        String unused = header.valueOf(proposed);
        IntentJournal journal = settings.journal();
        if (journal != null) {
            return CompletableFuture.supplyAsync(() -> intent, settings.executor())
                    .thenCompose(RequestDigest::of)
                    .thenApplyAsync(
                            digest -> record(journal, intent, proposal(intent, proposed, digest, settings), settings),
                            settings.executor());
        }
        if (intent.name().isPresent()) {
            throw new IllegalArgumentException("the intent " + intent.name().get()
                    + " has a name, but the client has no journal: set one with journal(...)");
        }
        return CompletableFuture.completedFuture(new IntentKey(proposed, false));
    }

    /** Marks an intent as finished. If that fails, it stays unfinished, and resuming it gets a replay. */
    static void finish(ClientIntent intent, String key, ClientSettings settings) {
        IntentJournal journal = settings.journal();
        if (journal == null) {
            return;
        }
        try {
            journal.finish(name(intent, key));
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "an answered intent could not be marked as finished in the journal; resuming it gets a replay",
                    e);
        }
    }

    private static String name(ClientIntent intent, String key) {
        return intent.name().orElse(key);
    }

    private static IntentJournal.Entry proposal(
            ClientIntent intent, String key, String digest, ClientSettings settings) {
        return new IntentJournal.Entry(
                name(intent, key), key, digest, settings.time().now());
    }

    private static IntentKey record(
            IntentJournal journal, ClientIntent intent, IntentJournal.Entry proposed, ClientSettings settings) {
        try {
            // Checked before the journal is changed, and again afterwards: another thread may have been first.
            Optional<IntentJournal.Entry> found = journal.find(proposed.name());
            if (found.isPresent()) {
                requireSame(intent, proposed, found.get());
                requireYoung(proposed, found.get(), settings);
            }
            IntentJournal.Begun recorded = journal.begin(proposed);
            requireSame(intent, proposed, recorded.entry());
            return new IntentKey(recorded.entry().key(), !recorded.first());
        } catch (IOException e) {
            throw new UncheckedIOException("the intent was not sent, because the journal could not record it", e);
        }
    }

    private static void requireSame(ClientIntent intent, IntentJournal.Entry proposed, IntentJournal.Entry recorded) {
        boolean sameKey = intent.key().isEmpty() || proposed.key().equals(recorded.key());
        if (!sameKey || !proposed.digest().equals(recorded.digest())) {
            throw new IntentRefusedException(
                    IntentRefusedException.Reason.ANOTHER_REQUEST,
                    "the intent " + recorded.name() + " is recorded for "
                            + (sameKey ? "another request" : "another key, " + recorded.key())
                            + ": give each intent its own name, and resume it with its first request");
        }
    }

    /** Refuses a key that the server may have deleted: it would execute the request again. */
    private static void requireYoung(
            IntentJournal.Entry proposed, IntentJournal.Entry recorded, ClientSettings settings) {
        Duration age = Duration.between(recorded.begun(), proposed.begun());
        if (age.plus(settings.policy().deadline()).compareTo(settings.keyLifetime()) > 0) {
            throw new IntentRefusedException(
                    IntentRefusedException.Reason.KEY_TOO_OLD,
                    "the intent " + recorded.name() + " was first sent " + age + " ago with the key " + recorded.key()
                            + ", but the server keeps keys only for " + settings.keyLifetime()
                            + ", so it could be executed again: find out its outcome, then finish or forget it in the"
                            + " journal");
        }
    }
}
