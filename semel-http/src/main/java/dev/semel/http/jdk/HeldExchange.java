package dev.semel.http.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import dev.semel.http.Body;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The exchange as the handler of a protected request sees it: its request body was read, and its response is held back. */
final class HeldExchange extends HttpExchange {

    private final HttpExchange real;
    private final ProtectedRequest request;
    private final HeldResponse response;
    private volatile InputStream in;
    private volatile OutputStream out;

    HeldExchange(HttpExchange real, ProtectedRequest request, Body body, HeldResponse response) {
        this.real = real;
        this.request = request;
        this.response = response;
        this.in = new ByteArrayInputStream(body.bytes());
        this.out = response;
    }

    @Override
    public Headers getRequestHeaders() {
        return real.getRequestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return response.headers();
    }

    @Override
    public URI getRequestURI() {
        return real.getRequestURI();
    }

    @Override
    public String getRequestMethod() {
        return real.getRequestMethod();
    }

    @Override
    public HttpContext getHttpContext() {
        return real.getHttpContext();
    }

    @Override
    public void close() {
        request.closed();
    }

    @Override
    public InputStream getRequestBody() {
        return in;
    }

    @Override
    public OutputStream getResponseBody() {
        return out;
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        response.begin(status, length);
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return real.getRemoteAddress();
    }

    @Override
    public int getResponseCode() {
        return response.status();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return real.getLocalAddress();
    }

    @Override
    public String getProtocol() {
        return real.getProtocol();
    }

    /** The server keeps attributes for a whole context, so that the attempt of one request is not kept there. */
    @Override
    public @Nullable Object getAttribute(String name) {
        return name.equals(SemelHttpHandler.ATTEMPT) ? request.attempt() : real.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        real.setAttribute(name, value);
    }

    @Override
    public void setStreams(@Nullable InputStream newIn, @Nullable OutputStream newOut) {
        in = newIn == null ? in : newIn;
        out = newOut == null ? out : newOut;
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return real.getPrincipal();
    }
}
