@NullMarked
package dev.semel.server.gateway.settle;

import org.jspecify.annotations.NullMarked;
