package dev.semel.examples.accounts;

/**
 * The result of a command.
 *
 * @param status what happened: {@code created}, {@code deposited}, {@code withdrawn}; or why nothing did
 * @param balanceCents of the account after the command
 */
record Receipt(String status, String account, long balanceCents) {

    static final String CREATED = "created";
    static final String DEPOSITED = "deposited";
    static final String WITHDRAWN = "withdrawn";
    static final String ACCOUNT_EXISTS = "account_exists";
    static final String NO_SUCH_ACCOUNT = "no_such_account";
    static final String INSUFFICIENT_FUNDS = "insufficient_funds";

    /** Another command had the id before, and its record has expired. */
    static final String COMMAND_ID_USED = "command_id_used";

    /** Whether the command changed the account. */
    boolean isChange() {
        return status.equals(CREATED) || status.equals(DEPOSITED) || status.equals(WITHDRAWN);
    }
}
