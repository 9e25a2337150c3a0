package dev.semel.client;

import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request that is to be executed once, with the key or the name that identifies it.
 *
 * <p>Each attempt sends the body, so its publisher must support several subscriptions. Those of
 * {@link java.net.http.HttpRequest.BodyPublishers} do; {@code ofInputStream} needs a supplier that returns a new stream each
 * time, and {@code fromPublisher} a publisher that supports it. A client with a journal reads the body once more, for its
 * digest.
 */
public final class ClientIntent {

    /** Safe methods, which need no key; a test of semel-server compares them with those of the server. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private static final int MAX_NAME_LENGTH = 255;

    private final HttpRequest request;
    private final @Nullable String key;
    private final @Nullable String name;
    private final @Nullable String meaning;

    private ClientIntent(HttpRequest request, @Nullable String key, @Nullable String name, @Nullable String meaning) {
        this.request = request;
        this.key = key;
        this.name = name;
        this.meaning = meaning;
    }

    /** Creates an intent, which gets a new key when it is sent. */
    public static ClientIntent of(HttpRequest request) {
        if (SAFE.contains(request.method())) {
            throw new IllegalArgumentException(
                    request.method() + " is a safe method and needs no key: send it with the HttpClient itself");
        }
        return new ClientIntent(request, null, null, null);
    }

    /**
     * Creates an intent with a name in the client's {@linkplain IntentJournal journal}: as long as the journal contains it, it
     * is sent with the same key, also after a crash.
     *
     * @param name unique to the intent, such as an order number; 1 to 255 characters, no control characters
     */
    public static ClientIntent named(String name, HttpRequest request) {
        if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of an intent must have 1 to " + MAX_NAME_LENGTH
                    + " characters and no control characters: \"" + name + "\"");
        }
        ClientIntent intent = of(request);
        return new ClientIntent(intent.request, null, name, null);
    }

    /** Returns this intent with a key of the caller's own, or that of an earlier {@link Result}. */
    public ClientIntent withKey(String newKey) {
        return new ClientIntent(request, KeyHeader.requireKey(newKey), name, meaning);
    }

    /**
     * Returns this intent with a text that replaces the body when a journal compares a resumed intent with the first; for
     * bodies whose bytes differ each time, such as multipart forms.
     */
    public ClientIntent meaning(String newMeaning) {
        return new ClientIntent(request, key, name, newMeaning);
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
