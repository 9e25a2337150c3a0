package dev.semel.server.check.rules;

/** One thing that clients of an API can rely on, or not. A rule makes its own intents, and leaves none for others. */
public interface Rule {

    RuleInfo info();

    /** About how many requests it sends, for the announcement before a run. */
    int requests(int concurrency);

    Outcome check(Probe probe);
}
