/** An application that tests its replays as docs/how-to/test-replays.md says. */
@NullMarked
package dev.semel.spring.slice;

import org.jspecify.annotations.NullMarked;
