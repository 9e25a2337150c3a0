/** What is tested: requests from a curl command, an OpenAPI description or a file, with fresh values for each intent. */
@NullMarked
package dev.semel.server.check.subject;

import org.jspecify.annotations.NullMarked;
