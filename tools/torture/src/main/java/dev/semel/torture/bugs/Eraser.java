package dev.semel.torture.bugs;

import dev.semel.Identity;
import dev.semel.redis.uri.RedisUri;
import dev.semel.torture.net.AnyStore;
import dev.semel.torture.net.Databases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Deletes a record behind the store's back: no store would do it. */
public interface Eraser {

    void erase(Identity identity);

    /** Deletes from the database that a store's URI names. */
    static Eraser of(String uri) {
        if (RedisUri.isRedis(uri)) {
            return new RedisEraser(RedisUri.parse(uri));
        }
        return identity -> {
            try (Connection connection = Databases.connect(AnyStore.primaryOf(uri))) {
                String quote = connection.getMetaData().getIdentifierQuoteString();
                try (PreparedStatement delete = connection.prepareStatement(
                        "DELETE FROM semel_record WHERE scope = ? AND " + quote + "key" + quote + " = ?")) {
                    delete.setString(1, identity.scope().value());
                    delete.setString(2, identity.key().value());
                    delete.executeUpdate();
                }
            } catch (SQLException e) {
                throw new IllegalStateException("could not delete a record", e);
            }
        };
    }
}
