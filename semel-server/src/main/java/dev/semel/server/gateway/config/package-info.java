/** The settings of a gateway: by options of the command line, or by one YAML file. Nothing here opens a connection. */
@NullMarked
package dev.semel.server.gateway.config;

import org.jspecify.annotations.NullMarked;
