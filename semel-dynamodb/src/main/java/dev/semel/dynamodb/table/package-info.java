/** Internal: the items of a table, the calls that read and write them, and the clock of the service. */
@NullMarked
package dev.semel.dynamodb.table;

import org.jspecify.annotations.NullMarked;
