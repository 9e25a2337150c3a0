package dev.semel.http;

/** What happens to requests while the store is unavailable. */
public enum StoreDown {
    /** 503; nothing is executed. */
    FAIL_CLOSED,
    /** The request is executed without protection; a duplicate is possible. Every such request is logged and marked. */
    FAIL_OPEN
}
