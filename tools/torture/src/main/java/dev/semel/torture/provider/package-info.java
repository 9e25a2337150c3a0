/** The payment provider: a process of its own that is never broken, and whose ledger is what really happened. */
@NullMarked
package dev.semel.torture.provider;

import org.jspecify.annotations.NullMarked;
