package dev.semel.examples.accounts;

import dev.semel.Key;
import dev.semel.messaging.command.Command;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A command to one account. Its id is chosen by the sender, and is the same however often it is sent. */
sealed interface AccountCommand extends Command<Receipt> {

    String account();

    record Create(String commandId, String account) implements AccountCommand {}

    record Deposit(String commandId, String account, long amountCents) implements AccountCommand {}

    record Withdraw(String commandId, String account, long amountCents) implements AccountCommand {}

    /** The letters and digits of a name that fits into a path as it is. */
    Pattern ACCOUNT = Pattern.compile("[a-z0-9-]{1,50}");

    /** Ten billion in any currency with cents. */
    long MAX_AMOUNT_CENTS = 1_000_000_000_000L;

    /**
     * Reads a command.
     *
     * @throws IllegalArgumentException saying which member is missing or wrong
     */
    static AccountCommand of(JsonNode json) {
        try {
            String id = Key.of(json.required("commandId").stringValue()).value();
            String account = json.required("account").stringValue();
            if (!ACCOUNT.matcher(account).matches()) {
                throw new IllegalArgumentException("account must match " + ACCOUNT);
            }
            String type = json.required("type").stringValue();
            return switch (type) {
                case "create" -> new Create(id, account);
                case "deposit" -> new Deposit(id, account, amount(json));
                case "withdraw" -> new Withdraw(id, account, amount(json));
                default -> throw new IllegalArgumentException("type must be create, deposit or withdraw");
            };
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "a command is {\"commandId\":…,\"type\":…,\"account\":…}, and has amountCents unless it creates",
                    e);
        }
    }

    private static long amount(JsonNode json) {
        JsonNode amount = json.required("amountCents");
        if (!amount.isIntegralNumber()
                || !amount.canConvertToLong()
                || amount.longValue() < 1
                || amount.longValue() > MAX_AMOUNT_CENTS) {
            throw new IllegalArgumentException("amountCents must be an integer between 1 and " + MAX_AMOUNT_CENTS);
        }
        return amount.longValue();
    }
}
