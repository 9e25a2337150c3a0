/**
 * The HTTP protocol without a framework: which requests are protected, what their fingerprint is, what they are answered
 * with, and what a produced response means for its record.
 *
 * <p>A transport shows a request as a {@link dev.semel.http.RequestView}, asks a {@link dev.semel.http.Gate} and does
 * what that decides: pass the request on, send an {@link dev.semel.http.Answer}, or run the handler and settle the
 * {@link dev.semel.http.Run} with its {@link dev.semel.http.HandlerResult}. Transports make no decisions of their own.
 */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
