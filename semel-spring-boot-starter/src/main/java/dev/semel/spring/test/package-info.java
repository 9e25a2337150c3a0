/** What applications use in their own tests. */
@NullMarked
package dev.semel.spring.test;

import org.jspecify.annotations.NullMarked;
