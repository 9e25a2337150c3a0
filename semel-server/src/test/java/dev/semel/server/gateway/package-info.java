/** Tests of the gateway, over real sockets. */
@NullMarked
package dev.semel.server.gateway;

import org.jspecify.annotations.NullMarked;
