package dev.semel.http.servlet;

import dev.semel.http.Body;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response that the handler of a protected request sees. Status, headers, cookies and body stay here; the container's
 * response is touched by {@link #sendTo} alone, or when the body grows too long to be held.
 *
 * <p>It counts as committed once the handler has sent an error or a redirect, as it would in a container, but never
 * because it was flushed.
 */
final class CapturedResponse extends HttpServletResponseWrapper {

    private final HttpServletResponse real;
    private final CaptureStream stream;
    private final CapturedHeaders headers = new CapturedHeaders();
    private final ResponseType type = new ResponseType();
    private final List<Cookie> cookies = new ArrayList<>();
    private int status = SC_OK;
    private long declaredLength = -1;
    private @Nullable Locale locale;
    private @Nullable PrintWriter writer;
    private boolean streamTaken;
    private boolean closed;
    private volatile boolean detached;
    private @Nullable SentError error;

    /** What {@link #sendError} asked for. */
    record SentError(int status, @Nullable String message) {}

    CapturedResponse(HttpServletResponse real, Handling handling, int limit) {
        super(real);
        this.real = real;
        this.stream = new CaptureStream(handling, limit);
        setResponse(new InnermostResponse(this));
    }

    /**
     * What the handler has left here when it returned.
     *
     * @param handled the exception that its framework has answered with this response
     */
    HandlerResult result(@Nullable Throwable handled) {
        return error == null
                ? new HandlerResult.Responded(status, headers(), body(), handled)
                : new HandlerResult.SentError(error.status(), error.message(), headers(), handled);
    }

    @Nullable
    SentError error() {
        return error;
    }

    /** Stops using the container's response, which the container may reuse for another request. */
    void detach() {
        detached = true;
    }

    private @Nullable HttpServletResponse outer() {
        return detached ? null : real;
    }

    Body body() {
        return stream.held().toBody();
    }

    /** Whether the body outgrew what may be recorded, and is no longer here. */
    boolean isTooLarge() {
        return stream.isStreaming();
    }

    /** The handler's own headers, with the media type. */
    Headers headers() {
        return headers.toHeaders(type.contentType());
    }

    void flushWriter() {
        if (writer != null) {
            writer.flush();
        }
    }

    /** Sends everything that is here. */
    void sendTo(HttpServletResponse response, Headers promised) throws IOException {
        applyHeadTo(response, promised);
        if (error == null) {
            AnswerWriter.writeBody(status, body(), response);
        } else if (error.message() == null) {
            response.sendError(error.status());
        } else {
            response.sendError(error.status(), error.message());
        }
    }

    /** Begins to send a response that is too long to be held, with the length that the handler declared, if any. */
    OutputStream streamTo(HttpServletResponse response, Headers promised) throws IOException {
        applyHeadTo(response, promised);
        if (declaredLength >= 0) {
            response.setContentLengthLong(declaredLength);
        }
        return response.getOutputStream();
    }

    private void applyHeadTo(HttpServletResponse response, Headers promised) {
        response.setStatus(status);
        headers.applyTo(response);
        promised.forEach(line -> response.setHeader(line.name(), line.value()));
        response.setContentType(type.contentType());
        cookies.forEach(response::addCookie);
    }

    @Override
    public String encodeURL(String url) {
        return detached ? url : real.encodeURL(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return detached ? url : real.encodeRedirectURL(url);
    }

    @Override
    public int getBufferSize() {
        return stream.held().limit();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called before");
        }
        streamTaken = true;
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (streamTaken) {
            throw new IllegalStateException("getOutputStream() was called before");
        }
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(stream, type.freeze(outer())));
        }
        return writer;
    }

    @Override
    public boolean isCommitted() {
        return closed || stream.isClosed() || stream.isStreaming();
    }

    private boolean isOpen() {
        return !isCommitted();
    }

    private void requireOpen() {
        if (isCommitted()) {
            throw new IllegalStateException("the response is committed");
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        flushWriter();
        stream.flush();
    }

    @Override
    public void reset() {
        resetBuffer();
        headers.clear();
        cookies.clear();
        type.reset();
        status = SC_OK;
        declaredLength = -1;
        locale = null;
        writer = null;
        streamTaken = false;
    }

    @Override
    public void resetBuffer() {
        requireOpen();
        flushWriter();
        requireOpen();
        stream.held().clear();
    }

    /** Changes nothing: the response is held in memory as a whole. */
    @Override
    public void setBufferSize(int size) {
        requireOpen();
    }

    @Override
    public void sendError(int code) {
        sendError(code, null);
    }

    @Override
    public void sendError(int code, @Nullable String message) {
        resetBuffer();
        setStatus(code);
        error = new SentError(code, message);
        close();
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int code) {
        sendRedirect(location, code, true);
    }

    @Override
    public void sendRedirect(String location, int code, boolean clearBuffer) {
        requireOpen();
        if (clearBuffer) {
            resetBuffer();
        }
        setStatus(code);
        headers.set("Location", location);
        close();
    }

    private void close() {
        closed = true;
        flushWriter();
        stream.close();
    }

    @Override
    public void setStatus(int code) {
        if (code < 100 || code > 999) {
            throw new IllegalArgumentException("an HTTP status has three digits, " + code + " does not");
        }
        if (isOpen()) {
            status = code;
        }
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setContentType(@Nullable String contentType) {
        if (isOpen()) {
            type.set(contentType);
        }
    }

    @Override
    public @Nullable String getContentType() {
        return type.contentType();
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        if (isOpen()) {
            type.setCharset(charset);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public String getCharacterEncoding() {
        String charset = type.charset();
        if (charset != null) {
            return charset;
        }
        return detached ? ResponseType.SPECIFIED_DEFAULT : real.getCharacterEncoding();
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        declaredLength = length;
    }

    @Override
    public void setLocale(@Nullable Locale newLocale) {
        if (isOpen()) {
            locale = newLocale;
            headers.set("Content-Language", newLocale == null ? null : newLocale.toLanguageTag());
        }
    }

    @Override
    public Locale getLocale() {
        if (locale != null) {
            return locale;
        }
        return detached ? Locale.getDefault() : real.getLocale();
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (isOpen()) {
            cookies.add(cookie);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (isOpen() && !isSpecial(name, value)) {
            headers.set(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (isOpen() && !isSpecial(name, value) && value != null) {
            headers.add(name, value);
        }
    }

    /** Whether the header is one that has a setter of its own, which is then called. */
    private boolean isSpecial(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            setContentType(value);
            return true;
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            setContentLengthLong(value == null ? -1 : Long.parseLong(value.strip()));
            return true;
        }
        return false;
    }

    @Override
    public void setDateHeader(String name, long millis) {
        setHeader(name, httpDate(millis));
    }

    @Override
    public void addDateHeader(String name, long millis) {
        addHeader(name, httpDate(millis));
    }

    private static String httpDate(long millis) {
        return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                .format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, String.valueOf(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, String.valueOf(value));
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public @Nullable String getHeader(String name) {
        return getHeaders(name).stream().findFirst().orElse(null);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        if (name.equalsIgnoreCase("Content-Type")) {
            String contentType = type.contentType();
            return contentType == null ? List.of() : List.of(contentType);
        }
        return headers.all(name, outer());
    }

    @Override
    public Collection<String> getHeaderNames() {
        return headers.names(outer());
    }

    /** Refuses trailers, which would not be part of a replay. */
    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        throw new IllegalStateException("the response of a protected request cannot have trailers");
    }
}
