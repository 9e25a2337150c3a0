/** JSON that is read leniently, as a client reads what a server sends. */
@NullMarked
package dev.semel.server.check.json;

import org.jspecify.annotations.NullMarked;
