/** What an application sets for a store on any database: the server, the connections, and what to do about the tables. */
@NullMarked
package dev.semel.jdbc.config;

import org.jspecify.annotations.NullMarked;
