/** The application: a payment service of a few lines on the public API of Semel, in a process that gets killed. */
@NullMarked
package dev.semel.torture.app;

import org.jspecify.annotations.NullMarked;
