package dev.semel.http.contract;

import dev.semel.Attempt;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A request and its response in the hands of a handler, whatever server it runs on. */
public interface Call {

    String path();

    String user();

    Optional<Attempt> attempt();

    byte[] body() throws IOException;

    /** Has the server parse all that it parses of a request. */
    void parse() throws IOException;

    /** Sets the status, before anything is written. */
    void status(int status);

    /** Adds a header, before anything is written. */
    void header(String name, String value);

    OutputStream out() throws IOException;

    default void print(String text) throws IOException {
        out().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What runs behind the transport. */
    interface Handler {
        void handle(Call call) throws Exception;
    }
}
