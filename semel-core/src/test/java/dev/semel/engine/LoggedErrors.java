package dev.semel.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the engine logs as an error while this is open. */
final class LoggedErrors extends Handler implements AutoCloseable {

    private static final Logger ENGINE = Logger.getLogger("dev.semel");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    LoggedErrors() {
        ENGINE.addHandler(this);
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
            messages.add(entry.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ENGINE.removeHandler(this);
    }
}
