/** {@code semel check}: a black-box test of what the retries of an HTTP API do. It sends requests, and knows nothing of the server. */
@NullMarked
package dev.semel.server.check;

import org.jspecify.annotations.NullMarked;
