package dev.semel.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The key that an intent is sent with.
 *
 * <p>It is the caller's, or a new one, unless the journal has one for the intent. With a journal, it is on record before
 * anybody gets to see it here.
 *
 * @param resumed whether the intent was on record before, so that it may have been sent
 */
record IntentKey(String value, boolean resumed) {

    private static final System.Logger LOG = System.getLogger("dev.semel.client");

    static CompletableFuture<IntentKey> of(Intent intent, ClientSettings settings) {
        KeyHeader header = settings.header();
        if (intent.request().headers().firstValue(header.name()).isPresent()) {
            throw new IllegalArgumentException("the request has the header " + header.name()
                    + " already; leave it out and pass the key with Intent.withKey");
        }
        String proposed = KeyHeader.requireKey(intent.key().orElseGet(settings.keys()));
        String unused = header.valueOf(proposed);
        IntentJournal journal = settings.journal();
        if (journal != null) {
            return CompletableFuture.supplyAsync(() -> intent, settings.executor())
                    .thenCompose(RequestDigest::of)
                    .thenApplyAsync(
                            digest ->
                                    writeDown(journal, intent, proposal(intent, proposed, digest, settings), settings),
                            settings.executor());
        }
        if (intent.name().isPresent()) {
            throw new IllegalArgumentException("the intent " + intent.name().get()
                    + " has a name, but the client has no journal to keep it in; set one with journal(...)");
        }
        return CompletableFuture.completedFuture(new IntentKey(proposed, false));
    }

    /** Should the journal fail now, the intent stays on record as unfinished, and whoever resumes it gets a replay. */
    static void finish(Intent intent, String key, ClientSettings settings) {
        IntentJournal journal = settings.journal();
        if (journal == null) {
            return;
        }
        try {
            journal.finish(name(intent, key));
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "an intent that is finished could not be marked so", e);
        }
    }

    private static String name(Intent intent, String key) {
        return intent.name().orElse(key);
    }

    private static IntentJournal.Entry proposal(Intent intent, String key, String digest, ClientSettings settings) {
        return new IntentJournal.Entry(
                name(intent, key), key, digest, settings.time().now());
    }

    private static IntentKey writeDown(
            IntentJournal journal, Intent intent, IntentJournal.Entry proposed, ClientSettings settings) {
        try {
            // Before the journal is changed; and again afterwards, since somebody else may have been first.
            Optional<IntentJournal.Entry> found = journal.find(proposed.name());
            if (found.isPresent()) {
                requireSame(intent, proposed, found.get());
                requireYoung(proposed, found.get(), settings);
            }
            IntentJournal.Begun recorded = journal.begin(proposed);
            requireSame(intent, proposed, recorded.entry());
            return new IntentKey(recorded.entry().key(), !recorded.first());
        } catch (IOException e) {
            throw new UncheckedIOException("the intent could not be written down, so it was not sent", e);
        }
    }

    private static void requireSame(Intent intent, IntentJournal.Entry proposed, IntentJournal.Entry recorded) {
        boolean sameKey = intent.key().isEmpty() || proposed.key().equals(recorded.key());
        if (!sameKey || !proposed.digest().equals(recorded.digest())) {
            throw new IntentRefusedException(
                    IntentRefusedException.Reason.ANOTHER_REQUEST,
                    "the intent " + recorded.name() + " is on record for "
                            + (sameKey ? "another request" : "another key, " + recorded.key())
                            + "; give each intent a name of its own, and resume it with the request that it began with");
        }
    }

    /** A server that has forgotten a key executes it. */
    private static void requireYoung(
            IntentJournal.Entry proposed, IntentJournal.Entry recorded, ClientSettings settings) {
        Duration age = Duration.between(recorded.begun(), proposed.begun());
        if (age.plus(settings.policy().deadline()).compareTo(settings.keyLifetime()) > 0) {
            throw new IntentRefusedException(
                    IntentRefusedException.Reason.KEY_TOO_OLD,
                    "the intent " + recorded.name() + " was begun " + age + " ago with the key " + recorded.key()
                            + ", and the server remembers keys for " + settings.keyLifetime()
                            + ": it might be executed again. Find out what became of it, then finish or forget it");
        }
    }
}
