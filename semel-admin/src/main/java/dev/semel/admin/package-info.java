/** The admin API and the console: endpoints as a table, without a server. */
@NullMarked
package dev.semel.admin;

import org.jspecify.annotations.NullMarked;
