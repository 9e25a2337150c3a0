/** The console in a real Chromium, on a real store, next to a service whose outcomes it settles. */
@NullMarked
package dev.semel.server.console;

import org.jspecify.annotations.NullMarked;
