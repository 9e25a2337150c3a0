/** Tests of what is tested. */
@NullMarked
package dev.semel.server.check.subject;

import org.jspecify.annotations.NullMarked;
