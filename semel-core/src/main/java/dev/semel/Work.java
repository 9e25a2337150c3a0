package dev.semel;

/** The code of an operation: runs at most once per intent, unless an earlier attempt provably had no effect. */
@FunctionalInterface
public interface Work<T, E extends Exception> {

    T run(Attempt attempt) throws E;
}
