package dev.semel.client;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that is to happen once: a request, and what it is known by.
 *
 * <p>Its body is sent once per attempt, so the publisher must be one that can be subscribed to more than once. Those of
 * {@link java.net.http.HttpRequest.BodyPublishers} can; {@code ofInputStream} needs a supplier that gives a new stream each
 * time, and {@code fromPublisher} another such publisher. A client with a journal reads the body once more, for its digest.
 */
public final class Intent {

    /** Repeating these does nothing, so that they need no key; servers pass them by. A test of semel-server compares. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private static final int LONGEST_NAME = 255;

    private final HttpRequest request;
    private final @Nullable String key;
    private final @Nullable String name;
    private final @Nullable String meaning;

    private Intent(HttpRequest request, @Nullable String key, @Nullable String name, @Nullable String meaning) {
        this.request = request;
        this.key = key;
        this.name = name;
        this.meaning = meaning;
    }

    /** A new intent, which gets a key of its own. */
    public static Intent of(HttpRequest request) {
        if (SAFE.contains(request.method())) {
            throw new IllegalArgumentException(
                    request.method() + " changes nothing and needs no key; send it with the HttpClient itself");
        }
        return new Intent(request, null, null, null);
    }

    /**
     * An intent with a name in the client's {@linkplain IntentJournal journal}: as long as the journal remembers it, it is
     * sent with the same key, also by the process that comes after one that crashed.
     *
     * @param name unique to the intent, such as the number of an order; 1 to 255 characters, no control characters
     */
    public static Intent named(String name, HttpRequest request) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of an intent has 1 to " + LONGEST_NAME
                    + " characters, and no control characters: \"" + name + "\"");
        }
        Intent intent = of(request);
        return new Intent(intent.request, null, name, null);
    }

    /** This intent with a key of the caller's: one that it keeps itself, or that an earlier {@link Result} told. */
    public Intent withKey(String newKey) {
        return new Intent(request, KeyHeader.requireKey(newKey), name, meaning);
    }

    /**
     * This intent with a text that stands for the body when a journal compares the request of a resumed intent with the
     * first, for bodies whose bytes are not the same each time they are made, such as those of multipart forms.
     */
    public Intent meaning(String newMeaning) {
        return new Intent(request, key, name, newMeaning);
    }

    public HttpRequest request() {
        return request;
    }

    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    public Optional<String> name() {
        return Optional.ofNullable(name);
    }

    public Optional<String> meaning() {
        return Optional.ofNullable(meaning);
    }
}
