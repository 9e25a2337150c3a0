/**
 * The servlet filter: the HTTP protocol of {@link dev.semel.http} for Jakarta Servlet 6.1 containers.
 *
 * <p>The filter holds the request body and the response in memory, so that the record is durable before the first byte
 * leaves. Nothing reaches the container's response before that.
 */
@NullMarked
package dev.semel.http.servlet;

import org.jspecify.annotations.NullMarked;
