/** The contract of a store by theme; {@link dev.semel.testkit.contract.StoreContract} is their sum. */
@NullMarked
package dev.semel.testkit.contract;

import org.jspecify.annotations.NullMarked;
