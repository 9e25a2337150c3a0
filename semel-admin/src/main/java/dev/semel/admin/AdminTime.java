package dev.semel.admin;

/** Elapsed time of this process, for rates, sessions and limits. No decision about a record rests on it. */
@FunctionalInterface
public interface AdminTime {

    long nanos();

    static AdminTime system() {
        return System::nanoTime;
    }
}
