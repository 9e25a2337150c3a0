/** Checks the files of {@code deploy/}: that they are valid, run as little as possible, and call commands that exist. */
@NullMarked
package dev.semel.server.deploy;

import org.jspecify.annotations.NullMarked;
