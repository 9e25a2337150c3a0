/** What the servlet filter costs a service: the same endpoint with the filter and without it, over real connections. */
@NullMarked
package dev.semel.benchmarks.http;

import org.jspecify.annotations.NullMarked;
