/**
 * The engine: how it is built, what it is built on, and what can be plugged into it.
 *
 * <p>Start with {@link dev.semel.engine.SemelEngine#on}. {@link dev.semel.engine.Store} is where records are kept;
 * {@link dev.semel.engine.SemelListener}, {@link dev.semel.engine.Tracer} and {@link dev.semel.engine.NearCache} extend the
 * engine. Everything else in this package is private to it.
 */
@NullMarked
package dev.semel.engine;

import org.jspecify.annotations.NullMarked;
