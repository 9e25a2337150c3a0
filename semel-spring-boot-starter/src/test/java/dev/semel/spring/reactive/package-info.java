@NullMarked
package dev.semel.spring.reactive;

import org.jspecify.annotations.NullMarked;
