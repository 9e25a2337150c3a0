package dev.semel.server.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the settings of a MySQL or MariaDB server mean for records. */
final class MysqlCheckup {

    private MysqlCheckup() {}

    /** A setting, the values that lose records, and how they do. */
    private record Setting(String name, Set<String> unsafe, String why) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "innodb_flush_log_at_trx_commit",
                    Set.of("0", "2"),
                    "commits are confirmed before they are on disk; a crash forgets the last of them, and a forgotten"
                            + " record is executed again. Set innodb_flush_log_at_trx_commit = 1"),
            new Setting(
                    "innodb_doublewrite",
                    Set.of("0", "OFF", "DETECT_ONLY"),
                    "a page that a crash left half written cannot be repaired. Set innodb_doublewrite = ON"),
            new Setting(
                    "read_only",
                    Set.of("1", "ON"),
                    "a replica, most likely: what it says about a key may be out of date. Use the primary"));

    /** @throws StoreException when the server cannot be asked */
    static List<Finding> of(StoreUri.Mysql uri) {
        try (HikariDataSource dataSource = uri.dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            Map<String, String> values = variables(statement);
            List<Finding> findings = new ArrayList<>();
            String version = values.getOrDefault("version", "");
            findings.add(Finding.good((version.contains("MariaDB") ? "" : "MySQL ") + version));
            for (Setting setting : SETTINGS) {
                String value = values.getOrDefault(setting.name(), "");
                String text = setting.name() + " = " + value;
                findings.add(
                        setting.unsafe().contains(value.toUpperCase(Locale.ROOT))
                                ? Finding.bad(text + ": " + setting.why())
                                : Finding.good(text));
            }
            findings.add(binaryLog(values));
            return findings;
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreException(uri + ": MySQL cannot be asked: " + cause.getMessage(), e);
        }
    }

    private static Finding binaryLog(Map<String, String> values) {
        if (!values.getOrDefault("log_bin", "").equalsIgnoreCase("ON")) {
            return Finding.good("log_bin = OFF");
        }
        String sync = values.getOrDefault("sync_binlog", "");
        String text = "log_bin = ON, sync_binlog = " + sync;
        return sync.equals("1")
                ? Finding.good(text)
                : Finding.bad(text + ": after a crash, commits that are not in the binary log on disk are undone, also"
                        + " confirmed ones. Set sync_binlog = 1");
    }

    private static Map<String, String> variables(Statement statement) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery("SHOW VARIABLES")) {
            while (rows.next()) {
                values.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return values;
    }
}
