/** Real brokers, a real database and processes that are killed, for tests of consumers. */
package dev.semel.messaging.brokers;
