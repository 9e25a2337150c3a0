/**
 * A store of records in Amazon DynamoDB.
 *
 * <p>Start with {@link dev.semel.dynamodb.DynamoStore#open}; {@link dev.semel.dynamodb.DynamoUri} is the address and the options
 * of a store, {@link dev.semel.dynamodb.DynamoTable} the table that it needs. {@code dev.semel.dynamodb.table} is internal: items,
 * calls, and the clock of the service.
 */
@NullMarked
package dev.semel.dynamodb;

import org.jspecify.annotations.NullMarked;
