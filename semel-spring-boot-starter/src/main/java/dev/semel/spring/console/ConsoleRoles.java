package dev.semel.spring.console;

import dev.semel.admin.access.Role;
import dev.semel.spring.ConsoleProperties;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The highest role of which a user has an authority. */
record ConsoleRoles(ConsoleProperties properties) {

    /** @param has whether the user has an authority */
    Optional<Role> of(Predicate<String> has) {
        if (hasOne(properties.administrator(), has)) {
            return Optional.of(Role.ADMINISTRATOR);
        }
        if (hasOne(properties.operator(), has)) {
            return Optional.of(Role.OPERATOR);
        }
        return hasOne(properties.viewer(), has) ? Optional.of(Role.VIEWER) : Optional.empty();
    }

    private static boolean hasOne(List<String> wanted, Predicate<String> has) {
        return wanted.stream().anyMatch(has);
    }
}
