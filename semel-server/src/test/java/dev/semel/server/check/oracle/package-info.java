/** Tests of counted effects. */
@NullMarked
package dev.semel.server.check.oracle;

import org.jspecify.annotations.NullMarked;
