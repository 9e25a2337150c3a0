package dev.semel.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What threads hold back because they have more to ask; each has a list of its own. */
final class Gathering<Q, A> {

    /** Not static: a thread may gather for several stores at once. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable List<BatchCall<Q, A>>> held = new ThreadLocal<>();

    private final Consumer<List<BatchCall<Q, A>>> release;

    /** @param release called on the thread that has gathered */
    Gathering(Consumer<List<BatchCall<Q, A>>> release) {
        this.release = release;
    }

    /** Holds back what the calling thread asks, until the task has returned. */
    void during(Runnable task) {
        if (held.get() != null) {
            task.run();
            return;
        }
        held.set(new ArrayList<>());
        try {
            task.run();
        } finally {
            List<BatchCall<Q, A>> calls = held.get();
            held.remove();
            release.accept(calls);
        }
    }

    /** Whether the calling thread gathers, and the call is held back with the others. */
    boolean hold(BatchCall<Q, A> call) {
        List<BatchCall<Q, A>> calls = held.get();
        return calls != null && calls.add(call);
    }
}
