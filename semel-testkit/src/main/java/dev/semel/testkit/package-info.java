/**
 * The contract that every store passes: a store's test subclasses {@link dev.semel.testkit.contract.StoreContract}, and
 * {@link dev.semel.testkit.contract.TransactionalStoreContract} if the store takes part in transactions.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;
