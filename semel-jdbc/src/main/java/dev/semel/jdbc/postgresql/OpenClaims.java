package dev.semel.jdbc.postgresql;

import java.sql.Connection;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The numbers of the claims that are open within a transaction of the application's, one for each, so that no two of them give
 * their savepoints the same name: rolling back to one would undo the other.
 *
 * <p>Numbers are used again, since a server keeps its plans by the text of a statement, names included. A claim that was
 * rolled back with its transaction does not report that; its number is free again when the claim is garbage-collected.
 */
final class OpenClaims {

    private static final Map<Connection, Map<Place, Integer>> NUMBERS = new WeakHashMap<>();

    private OpenClaims() {}

    /** The lowest number that is free there. */
    static Place on(Connection connection) {
        synchronized (NUMBERS) {
            Map<Place, Integer> taken = NUMBERS.computeIfAbsent(connection, absent -> new WeakHashMap<>());
            int number = 1;
            while (taken.containsValue(number)) {
                number++;
            }
            Place place = new Place(connection, number);
            taken.put(place, number);
            return place;
        }
    }

    /** Holds a number. */
    static final class Place {

        private final Connection connection;
        private final int number;

        private Place(Connection connection, int number) {
            this.connection = connection;
            this.number = number;
        }

        int number() {
            return number;
        }

        void leave() {
            synchronized (NUMBERS) {
                Map<Place, Integer> taken = NUMBERS.get(connection);
                if (taken != null) {
                    taken.remove(this);
                }
            }
        }
    }
}
