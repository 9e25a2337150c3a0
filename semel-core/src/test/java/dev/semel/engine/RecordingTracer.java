package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Refusal;
import dev.semel.State;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A tracer that records its calls, in lines that begin with the number of the claim. */
final class RecordingTracer implements Tracer {

    final List<String> lines = new CopyOnWriteArrayList<>();
    final ThreadLocal<@Nullable String> current = new ThreadLocal<>();
    private int claims;

    @Override
    public synchronized OfClaim claim(String operation, Identity identity) {
        String name = "#" + ++claims;
        lines.add(name + " claim " + operation);
        return new OfClaim() {
            @Override
            public OfExecution granted(long fence) {
                lines.add(name + " granted " + fence);
                return execution(name);
            }

            @Override
            public void replayed(boolean near, String origin) {
                lines.add(name + " replayed" + (near ? " near" : "") + " [" + origin + "]");
            }

            @Override
            public void refused(Refusal refusal) {
                lines.add(name + " refused " + refusal.getClass().getSimpleName());
            }

            @Override
            public void failed(Throwable failure) {
                lines.add(name + " failed " + failure.getClass().getSimpleName());
            }
        };
    }

    private OfExecution execution(String name) {
        return new OfExecution() {
            @Override
            public String origin() {
                return "origin" + name;
            }

            @Override
            public Current makeCurrent() {
                current.set(name);
                return current::remove;
            }

            @Override
            public void ended(State to, boolean failure) {
                lines.add(name + " ended " + to + (failure ? " failure" : ""));
            }
        };
    }
}
