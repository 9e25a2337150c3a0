package dev.semel.torture.bugs;

import dev.semel.Identity;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Deletes a record behind the store's back: no store would do it. */
public interface Eraser {

    void erase(Identity identity);

    /** Deletes from the database that a store's URI names. */
    static Eraser of(String uri) {
        return identity -> {
            try (Connection connection = connect(StoreUri.parse(uri));
                    PreparedStatement delete =
                            connection.prepareStatement("DELETE FROM semel_record WHERE scope = ? AND key = ?")) {
                delete.setString(1, identity.scope().value());
                delete.setString(2, identity.key().value());
                delete.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException("could not delete a record", e);
            }
        };
    }

    private static Connection connect(StoreUri uri) throws SQLException {
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return DriverManager.getConnection("jdbc:sqlite:" + sqlite.path());
        }
        StoreUri.Postgresql postgresql = (StoreUri.Postgresql) uri;
        return DriverManager.getConnection(
                "jdbc:postgresql://" + postgresql.hosts() + "/" + postgresql.database(),
                postgresql.credentials().user(),
                postgresql.credentials().password());
    }
}
