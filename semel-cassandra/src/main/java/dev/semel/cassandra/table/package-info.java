/** Internal: rows, calls, the index of records, and the clock of the nodes. */
@NullMarked
package dev.semel.cassandra.table;

import org.jspecify.annotations.NullMarked;
