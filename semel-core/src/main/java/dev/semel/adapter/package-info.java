/**
 * What a transport needs that runs the operation's code itself, such as a servlet filter or a message consumer: the claim,
 * the running attempt, and its settlement. Applications call {@link dev.semel.Semel#execute} instead.
 */
@NullMarked
package dev.semel.adapter;

import org.jspecify.annotations.NullMarked;
