/** HTTP/1.1 over plain sockets: requests byte for byte as they are said, sent together, or given up in the middle. */
@NullMarked
package dev.semel.server.check.wire;

import org.jspecify.annotations.NullMarked;
