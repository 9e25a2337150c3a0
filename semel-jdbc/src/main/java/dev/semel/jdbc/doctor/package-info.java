/** Checks of databases for settings that lose records. */
@NullMarked
package dev.semel.jdbc.doctor;

import org.jspecify.annotations.NullMarked;
