package dev.semel.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The final response for the caller: the judged response, with the body that the caller's handler produced. */
final class FinalResponse<T> implements HttpResponse<T> {

    private final HttpResponse<?> judged;
    private final T body;

    FinalResponse(HttpResponse<?> judged, T body) {
        this.judged = judged;
        this.body = body;
    }

    @Override
    public int statusCode() {
        return judged.statusCode();
    }

    @Override
    public HttpRequest request() {
        return judged.request();
    }

    /** Returns the response before a redirect, without its body. */
    @Override
    public Optional<HttpResponse<T>> previousResponse() {
        return judged.previousResponse().map(previous -> new FinalResponse<>(previous, absentBody()));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T absentBody() {
        return (@Nullable T) null;
    }

    @Override
    public HttpHeaders headers() {
        return judged.headers();
    }

    @Override
    public T body() {
        return body;
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return judged.sslSession();
    }

    @Override
    public URI uri() {
        return judged.uri();
    }

    @Override
    public HttpClient.Version version() {
        return judged.version();
    }

    @Override
    public String toString() {
        return judged.toString();
    }
}
