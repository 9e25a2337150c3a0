/** Messages between systems that ask each other to do things, done once and answered alike each time. */
@NullMarked
package dev.semel.messaging.federation;

import org.jspecify.annotations.NullMarked;
