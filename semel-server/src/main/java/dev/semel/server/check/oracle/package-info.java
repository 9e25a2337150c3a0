/** Where effects are counted, because equal answers do not prove one effect. */
@NullMarked
package dev.semel.server.check.oracle;

import org.jspecify.annotations.NullMarked;
