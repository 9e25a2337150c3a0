package dev.semel.jaxrs;

import dev.semel.http.Answer;
import dev.semel.http.HeldBody;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The body of a response: held back until it is complete, or until it is longer than what is recorded. */
final class HeldStream extends OutputStream {

    private final Exchange exchange;
    private final OutputStream real;
    private final HeldBody held;
    private @Nullable OutputStream through;

    HeldStream(Exchange exchange, OutputStream real) {
        this.exchange = exchange;
        this.real = real;
        this.held = new HeldBody(exchange.limit());
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (through == null) {
            if (held.hold(bytes, offset, length)) {
                return;
            }
            through = overflow();
        }
        through.write(bytes, offset, length);
    }

    /** Settles as too large, and then sends from the first byte. */
    private OutputStream overflow() throws IOException {
        exchange.tooLarge();
        if (exchange.answer() != null) {
            sendAnswer();
            return OutputStream.nullOutputStream();
        }
        exchange.putAnswerAfterWriting();
        held.writeTo(real);
        held.clear();
        return real;
    }

    /** Settles what is held, unless it is settled, and sends what is to be sent. */
    void release() throws IOException {
        if (through != null) {
            return;
        }
        if (exchange.isOpen()) {
            exchange.complete(held.toBody());
        }
        if (exchange.answer() != null) {
            sendAnswer();
        } else {
            exchange.putAnswerAfterWriting();
            held.writeTo(real);
        }
    }

    private void sendAnswer() throws IOException {
        exchange.putAnswerAfterWriting();
        Answer answer = exchange.answer();
        if (answer != null) {
            real.write(answer.body().bytes());
        }
    }

    /** Holds back what is held back: a flush is no reason to send what is not recorded. */
    @Override
    public void flush() throws IOException {
        if (through != null) {
            through.flush();
        }
    }

    /** The implementation closes the real stream. */
    @Override
    public void close() {}
}
