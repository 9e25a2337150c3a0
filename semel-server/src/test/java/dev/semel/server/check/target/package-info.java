/** Tests of what is tested. */
@NullMarked
package dev.semel.server.check.target;

import org.jspecify.annotations.NullMarked;
