package dev.semel.jdbc.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects the warnings of a logger while it is open. */
public final class LogLines extends Handler implements AutoCloseable {

    private final Logger logger;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final SimpleFormatter formatter = new SimpleFormatter();

    public LogLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
    }

    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel() == Level.WARNING) {
            warnings.add(formatter.formatMessage(record));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
