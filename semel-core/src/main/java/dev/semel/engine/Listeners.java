package dev.semel.engine;

import java.util.List;

/** Tells every listener of an event; what one of them throws reaches the log and nobody else. */
final class Listeners {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** An array, since most events of most engines go to one listener or none. */
    private final SemelListener[] listeners;

    Listeners(List<SemelListener> listeners) {
        this.listeners = listeners.toArray(SemelListener[]::new);
    }

    /** Whether nobody listens, so that nothing needs to be measured. */
    boolean isEmpty() {
        return listeners.length == 0;
    }

    void tell(Event event) {
        for (SemelListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.log(System.Logger.Level.WARNING, "a listener failed on " + event, e);
            }
        }
    }
}
