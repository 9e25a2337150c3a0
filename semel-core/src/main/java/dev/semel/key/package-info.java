/** Inspection of keys that clients choose: whether a key looks like personal data or is easy to guess. */
@NullMarked
package dev.semel.key;

import org.jspecify.annotations.NullMarked;
