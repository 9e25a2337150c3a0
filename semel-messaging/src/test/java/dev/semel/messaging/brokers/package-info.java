/** Helpers that the tests of the messaging modules share: an effect table, consumer processes that are killed, class paths. */
package dev.semel.messaging.brokers;
