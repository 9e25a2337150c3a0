package dev.semel.engine;

/** A store that can hold back what it is asked until it knows all of it, and then asks in as few round trips as it takes. */
public interface GatheringStore extends Store {

    /**
     * Runs the task. What the calling thread asks of this store meanwhile goes on its way when the task has returned; claims
     * share a round trip, and so do settlements. A task that waits for an answer waits for ever.
     */
    void together(Runnable task);
}
