package dev.semel.server.check.wire;

/** The next request would exceed the number of requests that the user allowed. */
public final class BudgetSpentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BudgetSpentException(int budget) {
        super("the budget of " + budget + " requests is used up; --budget N allows more");
    }
}
