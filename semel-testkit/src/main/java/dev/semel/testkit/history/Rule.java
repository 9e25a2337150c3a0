package dev.semel.testkit.history;

/** One or a few promises, checked for one key. */
interface Rule {
    void check(KeyHistory key, Findings findings);
}
