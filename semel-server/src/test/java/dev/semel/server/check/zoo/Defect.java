package dev.semel.server.check.zoo;

import java.util.Set;

/** What a server of the zoo does wrong, and the rules that must and that may find it. */
public enum Defect {
    IGNORES_KEYS(
            Set.of(
                    "duplicate-in-sequence",
                    "duplicates-at-once",
                    "duplicates-staggered",
                    "hang-up-after-answer",
                    "hang-up-before-answer",
                    "hang-up-during-answer",
                    "retry-after-read-timeout",
                    "other-body",
                    "replay-body",
                    "replay-headers",
                    "replay-marked"),
            Set.of("key-too-long", "key-malformed", "key-sent-twice", "server-error-once")),
    CHECK_THEN_ACT(
            Set.of("duplicates-at-once"),
            Set.of("duplicates-staggered", "hang-up-before-answer", "retry-after-read-timeout", "other-body")),
    EXECUTES_DUPLICATES_IN_FLIGHT(
            Set.of("duplicates-at-once"),
            Set.of("duplicates-staggered", "hang-up-before-answer", "retry-after-read-timeout", "other-body")),
    QUEUES_A_DUPLICATE_IN_FLIGHT(
            Set.of("duplicates-at-once"),
            Set.of("duplicates-staggered", "hang-up-before-answer", "retry-after-read-timeout")),
    LEASE_SHORTER_THAN_EXECUTION(
            Set.of("duplicates-staggered"),
            Set.of("duplicates-at-once", "hang-up-before-answer", "retry-after-read-timeout", "other-body")),
    FREES_KEY_ON_DISCONNECT(
            Set.of("hang-up-before-answer"),
            Set.of("hang-up-during-answer", "hang-up-after-answer", "retry-after-read-timeout")),
    EXECUTES_AGAIN_AFTER_5XX(Set.of("server-error-once")),
    FORGETS_BEFORE_RETENTION(Set.of("kept-for-retention")),
    NO_FINGERPRINT(Set.of("other-body", "other-query")),
    WAITS_WITHOUT_FINGERPRINT(Set.of("other-body")),
    MISMATCH_FREES_KEY(Set.of("other-body")),
    MISMATCH_REPLACES_FINGERPRINT(Set.of("other-body")),
    FINGERPRINT_WITHOUT_QUERY(Set.of("other-query")),
    GLOBAL_KEYS(Set.of("account-isolation", "account-independence")),
    LEAKS_ANOTHER_TENANTS_BODY(Set.of("account-isolation", "account-independence")),
    REFUSES_KEYS_OF_OTHER_ACCOUNTS(Set.of("account-independence")),
    REPLAYS_BEFORE_AUTHENTICATION(Set.of("without-credentials")),
    TRUNCATES_KEYS(Set.of("key-truncated")),
    FOLDS_CASE_OF_KEYS(Set.of("key-truncated")),
    SHOWS_STACK_TRACES(Set.of("errors-without-trace")),
    SHOWS_CREDENTIALS(Set.of("errors-keep-secrets")),
    SHOWS_RECORDED_ANSWER_ON_MISMATCH(Set.of("other-body", "other-query", "errors-keep-secrets")),
    DEDUPLICATES_BY_CONTENT(Set.of("new-key-executes", "other-body")),
    REPLAYS_200_FOR_ALL(Set.of("replay-status")),
    REENCODES_JSON(Set.of("replay-body")),
    TRUNCATES_REPLAYED_BODIES(Set.of("replay-body")),
    LOSES_HEADERS(Set.of("replay-headers")),
    ANSWERS_500_IN_FLIGHT(Set.of("in-flight-answer")),
    EMPTY_RESULT_IN_FLIGHT(Set.of("in-flight-answer")),
    ANSWERS_500_TO_MISMATCH(Set.of("mismatch-status")),
    LOOKS_UP_BEFORE_ROUTING(Set.of("other-method", "other-path", "other-query")),
    REPLAYS_TO_SAFE_METHODS(Set.of("safe-methods")),
    EXECUTES_WITHOUT_REQUIRED_KEY(Set.of("key-missing")),
    SHARES_THE_EMPTY_KEY(Set.of("key-empty")),
    SHARES_THE_QUOTED_EMPTY_KEY(Set.of("key-empty")),
    FAILS_ON_LONG_KEYS(Set.of("key-too-long")),
    IGNORES_MALFORMED_KEYS(Set.of("key-malformed")),
    IGNORES_REPEATED_KEYS(Set.of("key-sent-twice")),
    LOCKED_AFTER_FAILED_VALIDATION(Set.of("failed-validation")),
    WRONG_STATUS_IN_PROBLEM(Set.of("problem-json")),
    REPLAYS_ARE_NOT_MARKED(Set.of("replay-marked")),
    NO_RETRY_AFTER(Set.of("in-flight-retry-after")),
    REPLAYS_500_WITHOUT_EFFECT(Set.of("server-error-not-kept")),
    REPEATS_KEY_IN_ERRORS(Set.of("errors-without-key")),
    SLOW_FOR_KEYS_OF_OTHER_ACCOUNTS(Set.of("account-timing")),
    LOCKED_AFTER_RETENTION(Set.of("late-retry")),
    CORS_WITHOUT_HEADER(Set.of("cors"));

    private final Set<String> found;
    private final Set<String> maybe;

    Defect(Set<String> found) {
        this(found, Set.of());
    }

    Defect(Set<String> found, Set<String> maybe) {
        this.found = found;
        this.maybe = maybe;
    }

    /** The rules that find it. */
    public Set<String> found() {
        return found;
    }

    /** Rules that find it when requests happen to meet. */
    public Set<String> maybe() {
        return maybe;
    }
}
