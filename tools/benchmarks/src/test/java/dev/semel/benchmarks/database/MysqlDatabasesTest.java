package dev.semel.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Databases on MariaDB")
@Timeout(120)
class MysqlDatabasesTest {

    @Test
    void leave_nothing_on_a_given_server_and_delete_their_own() throws Exception {
        Path data;
        try (OwnServer server = OwnMariadb.start()) {
            Database theirs = server.create("theirs");
            data = Path.of(only(theirs, "SELECT @@datadir"));
            List<String> before = texts(theirs, "SHOW DATABASES");

            try (MysqlDatabases databases = new MysqlDatabases((StoreUri.Mysql) StoreUri.parse(theirs.uriText()))) {
                Database ours = databases.create("ours");
                ours.execute("CREATE TABLE t (id int PRIMARY KEY)");
                assertThat(texts(theirs, "SHOW DATABASES")).hasSize(before.size() + 1);
                try (HikariDataSource pool = ours.serializablePool(1)) {
                    assertThat(texts(pool, "SELECT @@tx_isolation")).containsExactly("SERIALIZABLE");
                }
            }

            assertThat(texts(theirs, "SHOW DATABASES")).isEqualTo(before);
            assertThat(data).exists();
        }
        assertThat(data.getParent()).doesNotExist();
    }

    private static String only(Database database, String sql) throws SQLException {
        return texts(database, sql).get(0);
    }

    private static List<String> texts(Database database, String sql) throws SQLException {
        try (HikariDataSource pool = database.pool(1)) {
            return texts(pool, sql);
        }
    }

    private static List<String> texts(HikariDataSource pool, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
