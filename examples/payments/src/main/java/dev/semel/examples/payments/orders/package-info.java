/**
 * Orders: an operation whose effects are all in the database that holds the records, so that order, items, inventory and
 * record are one transaction.
 */
@NullMarked
package dev.semel.examples.payments.orders;

import org.jspecify.annotations.NullMarked;
