/**
 * The contract that every store passes, by theme: a store's test subclasses {@link dev.semel.testkit.contract.StoreContract}, which
 * is their sum, and {@link dev.semel.testkit.contract.TransactionalStoreContract} if the store takes part in transactions.
 */
@NullMarked
package dev.semel.testkit.contract;

import org.jspecify.annotations.NullMarked;
