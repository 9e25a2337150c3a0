package dev.semel.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response that {@code getResponse()} of a {@link CapturedResponse} returns: the captured response again, and not the
 * container's.
 *
 * <p>When a forward has ended, Tomcat looks behind the wrappers for its own response and closes it. The captured answer is
 * sent after that, and would be lost.
 */
final class InnermostResponse implements HttpServletResponse {

    private final CapturedResponse captured;

    InnermostResponse(CapturedResponse captured) {
        this.captured = captured;
    }

    @Override
    public void addCookie(Cookie cookie) {
        captured.addCookie(cookie);
    }

    @Override
    public boolean containsHeader(String name) {
        return captured.containsHeader(name);
    }

    @Override
    public String encodeURL(String url) {
        return captured.encodeURL(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return captured.encodeRedirectURL(url);
    }

    @Override
    public void sendError(int code, @Nullable String message) {
        captured.sendError(code, message);
    }

    @Override
    public void sendError(int code) {
        captured.sendError(code);
    }

    @Override
    public void sendRedirect(String location) {
        captured.sendRedirect(location);
    }

    @Override
    public void sendRedirect(String location, int code, boolean clearBuffer) {
        captured.sendRedirect(location, code, clearBuffer);
    }

    @Override
    public void setDateHeader(String name, long millis) {
        captured.setDateHeader(name, millis);
    }

    @Override
    public void addDateHeader(String name, long millis) {
        captured.addDateHeader(name, millis);
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        captured.setHeader(name, value);
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        captured.addHeader(name, value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        captured.setIntHeader(name, value);
    }

    @Override
    public void addIntHeader(String name, int value) {
        captured.addIntHeader(name, value);
    }

    @Override
    public void setStatus(int code) {
        captured.setStatus(code);
    }

    @Override
    public int getStatus() {
        return captured.getStatus();
    }

    @Override
    public @Nullable String getHeader(String name) {
        return captured.getHeader(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return captured.getHeaders(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return captured.getHeaderNames();
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        captured.setTrailerFields(supplier);
    }

    @Override
    public String getCharacterEncoding() {
        return captured.getCharacterEncoding();
    }

    @Override
    public @Nullable String getContentType() {
        return captured.getContentType();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return captured.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        return captured.getWriter();
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        captured.setCharacterEncoding(charset);
    }

    @Override
    public void setContentLength(int length) {
        captured.setContentLength(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        captured.setContentLengthLong(length);
    }

    @Override
    public void setContentType(@Nullable String contentType) {
        captured.setContentType(contentType);
    }

    @Override
    public void setBufferSize(int size) {
        captured.setBufferSize(size);
    }

    @Override
    public int getBufferSize() {
        return captured.getBufferSize();
    }

    @Override
    public void flushBuffer() throws IOException {
        captured.flushBuffer();
    }

    @Override
    public void resetBuffer() {
        captured.resetBuffer();
    }

    @Override
    public boolean isCommitted() {
        return captured.isCommitted();
    }

    @Override
    public void reset() {
        captured.reset();
    }

    @Override
    public void setLocale(@Nullable Locale locale) {
        captured.setLocale(locale);
    }

    @Override
    public Locale getLocale() {
        return captured.getLocale();
    }
}
