/** The rules, one class each, and what they share. */
@NullMarked
package dev.semel.server.check.rules;

import org.jspecify.annotations.NullMarked;
