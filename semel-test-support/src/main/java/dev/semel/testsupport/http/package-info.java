/** HTTP as it is on the wire, for tests that compare bytes. */
@NullMarked
package dev.semel.testsupport.http;

import org.jspecify.annotations.NullMarked;
