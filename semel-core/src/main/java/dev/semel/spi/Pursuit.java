package dev.semel.spi;

import java.time.Duration;

/** How the search for evidence about an unknown outcome goes on. */
public sealed interface Pursuit {

    /** Ask again after this, unless somebody else has asked since this try. */
    record Again(int tries, Duration delay) implements Pursuit {}

    /** Ask no more: a person has to decide. Void if somebody else has asked since this try. */
    record DeadLetter(int tries) implements Pursuit {}

    /** Begin anew, at once and with no tries counted. */
    record Afresh() implements Pursuit {}
}
