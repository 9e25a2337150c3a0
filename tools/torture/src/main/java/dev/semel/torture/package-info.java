/**
 * Several real processes on one real store, clients that retry, a provider that remembers everything, and a conductor that breaks
 * things; afterwards the checker of semel-testkit reads the logs.
 */
@NullMarked
package dev.semel.torture;

import org.jspecify.annotations.NullMarked;
