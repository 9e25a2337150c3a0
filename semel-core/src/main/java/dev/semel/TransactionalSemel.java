package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * The engine within a JDBC transaction of the caller's: the claim, the domain's own writes and the completion commit
 * together, or none of them ever was.
 *
 * <ol>
 *   <li>It uses the caller's connection alone. The caller begins, commits and rolls back.
 *   <li>What it answers holds once the caller's COMMIT has succeeded; a client must not hear of it before.
 *   <li>While the transaction runs, duplicates wait behind it as long as {@link Operation#maxWait} says, and are then
 *       refused as in progress.
 *   <li>An exception of the work undoes the claim and the work: nothing was executed, and nothing is recorded. An
 *       {@link OutcomeUnknownException} undoes the work alone; the record says unknown once the caller commits.
 * </ol>
 *
 * <p>This is for effects in the database. A call to another service is not undone by a rollback: use {@link Semel#execute}
 * for those.
 */
public interface TransactionalSemel {

    /**
     * Runs the work unless this intent was executed before, in which case it returns what was recorded then.
     *
     * @throws E what the work threw; the transaction is as it was before this call, but for an outcome that is unknown
     * @throws StoreException when the claim or its completion could not be written, or the work not be undone: roll back
     * @throws IllegalStateException when an earlier attempt outside of a transaction has recorded steps
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Intent intent, Codec<T> codec, Work<T, E> work) throws E;

    /**
     * Claims the right to execute, for adapters that run and settle themselves. An attempt that is settled as not executed
     * undoes the claim and the work; as unknown, the work alone.
     *
     * @throws StoreException when the claim could not be made: nothing may be executed
     */
    Claim begin(Intent intent);
}
