/** How the processes talk: lines over TCP, and a proxy that spoils what passes through it. */
@NullMarked
package dev.semel.torture.net;

import org.jspecify.annotations.NullMarked;
