/** What a run found, for people and for other programs. */
@NullMarked
package dev.semel.server.check.report;

import org.jspecify.annotations.NullMarked;
