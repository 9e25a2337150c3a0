/** Accounts that are changed by commands; a repeated command returns its first result. */
@NullMarked
package dev.semel.examples.accounts;

import org.jspecify.annotations.NullMarked;
