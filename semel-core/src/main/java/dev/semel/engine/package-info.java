/**
 * The engine: how it is built, what it is built on, and what can be plugged into it.
 *
 * <p>Start with {@link dev.semel.engine.SemelEngine#on}. {@link dev.semel.engine.Store} is where records are kept;
 * {@link dev.semel.engine.SemelListener}, {@link dev.semel.engine.Tracer}, {@link dev.semel.engine.NearCache} and
 * {@link dev.semel.engine.Timer} extend the engine. {@code Engine} and the package-private classes beside it are the engine
 * itself: {@code Claims} asks for leases, {@code LiveAttempt} holds one, {@code Settler} ends it.
 */
@NullMarked
package dev.semel.engine;

import org.jspecify.annotations.NullMarked;
