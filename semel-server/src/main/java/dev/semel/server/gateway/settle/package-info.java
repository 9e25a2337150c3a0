/**
 * How unknown outcomes of a gateway are settled without Java: by a look-up over HTTP, or by the service itself. The engine's
 * reconciler asks, and its store decides; this package translates.
 */
@NullMarked
package dev.semel.server.gateway.settle;

import org.jspecify.annotations.NullMarked;
