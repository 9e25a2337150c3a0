package dev.semel.http.key;

import java.util.List;

/** The key {@code user:action:key}. */
final class UserActionKey implements KeyStrategy {

    private final String action;
    private final KeyStrategy inner;

    UserActionKey(String action, KeyStrategy inner) {
        if (action.isBlank()) {
            throw new IllegalArgumentException("the action is blank: name what the user does, such as \"transfer\"");
        }
        this.action = action;
        this.inner = inner;
    }

    @Override
    public KeyResult resolve(KeyInput input) {
        String user = input.user();
        if (user == null || user.isBlank()) {
            return new KeyResult.Missing("an authenticated user");
        }
        KeyResult result = inner.resolve(input);
        return result instanceof KeyResult.Found found
                ? new KeyResult.Found(
                        ComposedKey.of(List.of(user, action, found.key().value())), found.chosen())
                : result;
    }
}
