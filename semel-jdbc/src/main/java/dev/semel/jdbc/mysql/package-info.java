/**
 * The store on MySQL and MariaDB.
 *
 * <p>{@link dev.semel.jdbc.mysql.MysqlStore} is the algorithm. Its statements are {@code .sql} files next to this package.
 */
@NullMarked
package dev.semel.jdbc.mysql;

import org.jspecify.annotations.NullMarked;
