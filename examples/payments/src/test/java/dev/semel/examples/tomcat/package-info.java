/** Tests of the filter with Spring MVC on Tomcat, which treats requests in ways of its own. */
@NullMarked
package dev.semel.examples.tomcat;

import org.jspecify.annotations.NullMarked;
