package dev.semel.http.key;

import dev.semel.fingerprint.Parts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request or a message without its transport, in which strategies find keys and scopes.
 *
 * <p>Strategies ask only for what they need, so that a body is read only where a strategy looks into it.
 */
public interface KeyInput {

    /** The request method; {@code null} for a message. */
    @Nullable
    String method();

    /** The concrete path of a request, or the destination of a message. */
    @Nullable
    String path();

    /** The query of a request in the form that also counts in its fingerprint; empty where there is none. */
    default String query() {
        return "";
    }

    /** The name of the route or operation, such as {@code create-payment}; {@code null} where it has none. */
    default @Nullable String route() {
        return null;
    }

    /** Every value of a header, one for each time it was sent; its name is found in any case. */
    List<String> header(String name);

    /** The body; empty where there is none. */
    byte[] body();

    /** The value of {@code Content-Type}, where there is one. */
    @Nullable
    String mediaType();

    /**
     * What counts as the same request: the parts of its fingerprint. Keys that are derived from content are made of them,
     * so that two requests have one key exactly when they have one fingerprint.
     *
     * @throws dev.semel.fingerprint.BodyLimitException when the body exceeds a limit
     */
    Parts parts();

    /** The authenticated caller; {@code null} for an anonymous one. */
    @Nullable
    String user();

    /** The other end of the connection that the request came by; {@code null} where the transport does not say. */
    default @Nullable Peer peer() {
        return null;
    }
}
