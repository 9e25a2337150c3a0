package dev.semel.http.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A {@link HeldExchange} over TLS: handlers find the session of the connection by the type of their exchange. */
final class HeldHttpsExchange extends HttpsExchange {

    private final HttpsExchange real;
    private final HeldExchange held;

    HeldHttpsExchange(HttpsExchange real, HeldExchange held) {
        this.real = real;
        this.held = held;
    }

    @Override
    public SSLSession getSSLSession() {
        return real.getSSLSession();
    }

    @Override
    public Headers getRequestHeaders() {
        return held.getRequestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return held.getResponseHeaders();
    }

    @Override
    public URI getRequestURI() {
        return held.getRequestURI();
    }

    @Override
    public String getRequestMethod() {
        return held.getRequestMethod();
    }

    @Override
    public HttpContext getHttpContext() {
        return held.getHttpContext();
    }

    @Override
    public void close() {
        held.close();
    }

    @Override
    public InputStream getRequestBody() {
        return held.getRequestBody();
    }

    @Override
    public OutputStream getResponseBody() {
        return held.getResponseBody();
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        held.sendResponseHeaders(status, length);
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return held.getRemoteAddress();
    }

    @Override
    public int getResponseCode() {
        return held.getResponseCode();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return held.getLocalAddress();
    }

    @Override
    public String getProtocol() {
        return held.getProtocol();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return held.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        held.setAttribute(name, value);
    }

    @Override
    public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
        held.setStreams(in, out);
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return held.getPrincipal();
    }
}
