package dev.semel.benchmarks.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The filter of the usual article: insert the key, buffer the response, update the row, write the response.
 *
 * <p>It has no lease, fence, audit or fingerprint, and keeps no headers: after a crash in the middle a key is stuck, and
 * another request under the same key gets a response that was not meant for it.
 */
final class HandWrittenFilter implements Filter, AutoCloseable {

    private volatile KeyTable table;

    HandWrittenFilter(KeyTable table) {
        this.table = table;
    }

    /** Goes on with another table, while no request is under way. */
    void replace(KeyTable other) {
        table.close();
        table = other;
    }

    @Override
    public void doFilter(ServletRequest given, ServletResponse givenResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) given;
        HttpServletResponse response = (HttpServletResponse) givenResponse;
        String key = request.getHeader("X-Account") + ":" + request.getHeader("Idempotency-Key");
        if (!table.insert(key)) {
            KeyTable.Saved saved = table.find(key);
            if (saved == null) {
                response.setStatus(HttpServletResponse.SC_CONFLICT);
                response.setContentLength(0);
            } else {
                write(saved, response);
            }
            return;
        }
        Buffered buffered = new Buffered(response);
        chain.doFilter(request, buffered);
        KeyTable.Saved saved = buffered.saved();
        table.update(key, saved);
        response.getOutputStream().write(saved.body());
    }

    private static void write(KeyTable.Saved saved, HttpServletResponse response) throws IOException {
        response.setStatus(saved.status());
        response.setContentType(saved.contentType());
        response.setContentLength(saved.body().length);
        response.getOutputStream().write(saved.body());
    }

    @Override
    public void close() {
        table.close();
    }

    /** A response whose body is held back. */
    private static final class Buffered extends HttpServletResponseWrapper {

        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable ServletOutputStream stream;

        Buffered(HttpServletResponse response) {
            super(response);
        }

        KeyTable.Saved saved() {
            return new KeyTable.Saved(
                    getStatus(), Objects.requireNonNullElse(getContentType(), ""), body.toByteArray());
        }

        @Override
        public ServletOutputStream getOutputStream() {
            if (stream == null) {
                stream = new Stream(body);
            }
            return stream;
        }
    }

    private static final class Stream extends ServletOutputStream {

        private final ByteArrayOutputStream body;

        Stream(ByteArrayOutputStream body) {
            this.body = body;
        }

        @Override
        public void write(int b) {
            body.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            body.write(bytes, from, count);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException("the endpoint writes its response at once");
        }
    }
}
