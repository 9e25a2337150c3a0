/** Reading and writing JSON. */
@NullMarked
package dev.semel.admin.json;

import org.jspecify.annotations.NullMarked;
