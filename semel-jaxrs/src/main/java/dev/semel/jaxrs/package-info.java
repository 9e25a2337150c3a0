/** The transport for Jakarta REST: resource methods on Jersey and RESTEasy that are safe to retry. */
@NullMarked
package dev.semel.jaxrs;

import org.jspecify.annotations.NullMarked;
