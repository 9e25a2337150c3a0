package dev.semel.torture.history;

/** One or a few promises, checked for one key. */
interface Rule {
    void check(KeyHistory key, Violations violations);
}
