@NullMarked
package dev.semel.server.simulate;

import org.jspecify.annotations.NullMarked;
