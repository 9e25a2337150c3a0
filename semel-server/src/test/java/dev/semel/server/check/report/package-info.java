/** Tests of reports. */
@NullMarked
package dev.semel.server.check.report;

import org.jspecify.annotations.NullMarked;
