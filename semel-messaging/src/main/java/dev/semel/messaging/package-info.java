/** The inbox: handles messages once that brokers deliver more than once. */
@NullMarked
package dev.semel.messaging;

import org.jspecify.annotations.NullMarked;
