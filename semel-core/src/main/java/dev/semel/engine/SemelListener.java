package dev.semel.engine;

/**
 * Receives every event of an engine, for metrics and audit. Called on the thread that does the work, so it must not block; what it
 * throws is logged and never breaks an execution.
 */
@FunctionalInterface
public interface SemelListener {

    void on(Event event);
}
