/**
 * The gateway: a reverse proxy that makes the requests of any HTTP service safe to retry. {@link dev.semel.http.Gate} decides;
 * this package forwards, once, and reads answers to their end.
 */
@NullMarked
package dev.semel.server.gateway;

import org.jspecify.annotations.NullMarked;
