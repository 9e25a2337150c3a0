/** Callers, roles, and what keeps others out. */
@NullMarked
package dev.semel.admin.access;

import org.jspecify.annotations.NullMarked;
