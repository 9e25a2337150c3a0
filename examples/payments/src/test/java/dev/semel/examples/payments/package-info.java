/** Tests of the payments application, over real sockets and, in the {@code …IT} classes, in real processes. */
@NullMarked
package dev.semel.examples.payments;

import org.jspecify.annotations.NullMarked;
