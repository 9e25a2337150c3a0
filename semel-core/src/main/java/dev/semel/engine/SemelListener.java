package dev.semel.engine;

/**
 * Where metrics and audit hear of what happens. Called on the thread that does the work, so it must not block; what it
 * throws is logged and never breaks an execution.
 */
@FunctionalInterface
public interface SemelListener {

    void on(Event event);
}
