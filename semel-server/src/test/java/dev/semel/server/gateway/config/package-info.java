/** Tests of the gateway's configuration. */
@NullMarked
package dev.semel.server.gateway.config;

import org.jspecify.annotations.NullMarked;
