/**
 * The transport for the HTTP server of the JDK: a handler around the handlers of
 * {@code com.sun.net.httpserver.HttpServer}. It only translates; {@link dev.semel.http.Gate} decides.
 */
@NullMarked
package dev.semel.http.jdk;

import org.jspecify.annotations.NullMarked;
