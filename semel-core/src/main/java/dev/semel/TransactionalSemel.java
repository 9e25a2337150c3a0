package dev.semel;

import org.jspecify.annotations.Nullable;

/**
 * The engine within a JDBC transaction of the caller's: the claim, the domain's own writes and the completion commit
 * together, or none of them ever was.
 *
 * <ol>
 *   <li>It uses the caller's connection alone. The caller begins, commits and rolls back.
 *   <li>What it answers holds once the caller's COMMIT has succeeded; no client may get it before.
 *   <li>While the transaction runs, duplicates wait behind it as long as {@link Operation#maxWait} says, and are then
 *       refused as in progress.
 *   <li>An exception of the work undoes the claim and the work: nothing was executed, and nothing is recorded. An
 *       {@link OutcomeUnknownException} undoes the work alone; the record says unknown once the caller commits.
 *   <li>A transaction that ends without a confirmed commit may have lost such an unknown outcome: call
 *       {@link #recordUnknownAfterRollback} on this very object.
 * </ol>
 *
 * <pre>{@code
 * TransactionalSemel within = semel.within(connection);
 * try (connection) {                                  // a pool rolls back what is open
 *     String receipt = within.execute(intent, Codec.text(), attempt -> book(connection)).orThrow();
 *     connection.commit();
 *     return receipt;
 * } catch (SQLException | RuntimeException failure) {
 *     within.recordUnknownAfterRollback();            // does nothing, unless an outcome was unknown
 *     throw failure;
 * }
 * }</pre>
 *
 * <p>This is for effects in the database. A call to another service is not undone by a rollback: use {@link Semel#execute}
 * for those.
 */
public interface TransactionalSemel {

    /**
     * Runs the work unless this intent was executed before, in which case it returns what was recorded then. When the work
     * throws, the transaction is as it was before this call, but for an outcome that is unknown.
     *
     * @throws StoreException when the claim or its completion could not be written, or the work not be undone: roll back
     * @throws IllegalStateException when an earlier attempt outside of a transaction has recorded steps
     */
    default <T extends @Nullable Object> Execution<T> execute(Intent intent, Codec<T> codec, Semel.Work<T> work) {
        return this.<T, RuntimeException>executeChecked(intent, codec, work::run);
    }

    /**
     * Like {@link #execute}, for work that throws a checked exception.
     *
     * @throws E what the work threw
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> executeChecked(
            Intent intent, Codec<T> codec, Semel.CheckedWork<T, E> work) throws E;

    /**
     * Records the unknown outcomes of this transaction once more, through the store's own connections: to be called when the
     * transaction is over and its commit is not confirmed, whatever the reason, after its connection was given back. Does
     * nothing where no outcome was unknown.
     *
     * <p>A commit that was applied although its answer was lost is recognized. Where the store does not answer, the engine goes
     * on in the background, and meanwhile executes no duplicate itself; another process may.
     *
     * @return whether every unknown outcome of this transaction is on record now
     */
    boolean recordUnknownAfterRollback();
}
