package dev.semel.engine;

import java.util.List;

/** Passes events to every listener; what a listener throws is logged and goes no further. */
final class Listeners {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** An array, since most events of most engines go to one listener or none. */
    private final SemelListener[] listeners;

    Listeners(List<SemelListener> listeners) {
        this.listeners = listeners.toArray(SemelListener[]::new);
    }

    /** Whether there is no listener, so that nothing needs to be measured. */
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
