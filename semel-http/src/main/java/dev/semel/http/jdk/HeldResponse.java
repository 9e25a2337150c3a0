package dev.semel.http.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.semel.http.Answer;
import dev.semel.http.HandlerResult;
import dev.semel.http.HeldBody;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The response of a handler, and the stream of its body: held back until it is complete, or until it is longer than what is
 * recorded. It takes and refuses what the server's own response does. One thread at a time writes it.
 */
final class HeldResponse extends OutputStream {

    private static final int NO_BODY = -1;

    private final ProtectedRequest request;
    private final Headers before = new Headers();
    private final Headers headers = new Headers();
    private final HeldBody held;
    private volatile int status = -1;
    private volatile long length;
    private volatile long written;
    private volatile boolean closed;
    private volatile @Nullable OutputStream through;

    /** @param set the headers that earlier filters have set */
    HeldResponse(ProtectedRequest request, Headers set, int limit) {
        this.request = request;
        this.held = new HeldBody(limit);
        HeaderLines.copy(set, before);
        HeaderLines.copy(set, headers);
    }

    Headers headers() {
        return headers;
    }

    /** The status, or -1 while there is none. */
    int status() {
        return status;
    }

    /** @param announced the length of the body: 0 when it is not known, -1 for none */
    void begin(int newStatus, long announced) throws IOException {
        if (status >= 0) {
            throw new IOException("the response headers were set before");
        }
        length = announced < 0 || !Answer.canHaveBody(newStatus) ? NO_BODY : announced;
        status = newStatus;
        if (length == NO_BODY) {
            closed = true;
            request.closed();
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (status < 0) {
            throw new IOException("sendResponseHeaders was not called before the body was written");
        }
        if (closed) {
            throw new IOException("the response is closed");
        }
        long total = written + count;
        if (length > 0 && total > length) {
            throw new IOException("the body is longer than the " + length + " bytes that were announced");
        }
        written = total;
        OutputStream out = through;
        if (out == null) {
            if (held.hold(bytes, offset, count)) {
                return;
            }
            out = request.overflow();
            through = out;
            held.writeTo(out);
            held.clear();
        }
        out.write(bytes, offset, count);
    }

    /** Holds back what is held back: a flush is no reason to send what is not recorded. */
    @Override
    public void flush() throws IOException {
        OutputStream out = through;
        if (out != null) {
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (status < 0) {
            throw new IOException("sendResponseHeaders was not called before the body was closed");
        }
        if (closed) {
            return;
        }
        closed = true;
        OutputStream out = through;
        if (out == null) {
            request.closed();
        } else {
            out.close();
        }
    }

    /** Whether all of the body is here that the handler has announced. */
    boolean isWhole() {
        return length > 0 && written == length;
    }

    HandlerResult result() {
        if (status < 0) {
            return new HandlerResult.Undetermined("closed_without_response");
        }
        if (length > 0 && written < length) {
            return new HandlerResult.Failed(
                    new IOException("the handler announced a body of " + length + " bytes and wrote " + written));
        }
        return new HandlerResult.Responded(status, own(), held.toBody(), null);
    }

    HandlerResult tooLarge() {
        return new HandlerResult.TooLarge(status, own());
    }

    private dev.semel.http.Headers own() {
        return HeaderLines.added(before, headers);
    }

    /** Sends the response; closes the exchange where there is none. */
    void sendTo(HttpExchange exchange, dev.semel.http.Headers promised) throws IOException {
        if (status < 0) {
            exchange.close();
            return;
        }
        HeaderLines.copy(headers, exchange.getResponseHeaders());
        promised.forEach(line -> exchange.getResponseHeaders().set(line.name(), line.value()));
        AnswerWriter.send(status, held.toBody(), exchange);
    }

    /** Sends the head of a response, whose body follows. */
    OutputStream streamTo(HttpExchange exchange, dev.semel.http.Headers promised) throws IOException {
        HeaderLines.copy(headers, exchange.getResponseHeaders());
        promised.forEach(line -> exchange.getResponseHeaders().set(line.name(), line.value()));
        exchange.sendResponseHeaders(status, length);
        return exchange.getResponseBody();
    }
}
