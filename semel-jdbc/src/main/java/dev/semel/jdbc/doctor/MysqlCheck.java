package dev.semel.jdbc.doctor;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Checks the settings of a MySQL or MariaDB server. */
final class MysqlCheck {

    private MysqlCheck() {}

    /** A setting, the values that lose records, and the consequence. */
    private record Setting(String name, Set<String> unsafe, String why) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting(
                    "innodb_flush_log_at_trx_commit",
                    Set.of("0", "2"),
                    "commits are acknowledged before they are on disk, so a crash loses the last records, and their"
                            + " operations execute again: set innodb_flush_log_at_trx_commit = 1"),
            new Setting(
                    "innodb_doublewrite",
                    Set.of("0", "OFF", "DETECT_ONLY"),
                    "a page that a crash left half-written cannot be repaired: set innodb_doublewrite = ON"),
            new Setting(
                    "read_only",
                    Set.of("1", "ON"),
                    "probably a replica, whose records can be out of date: use the primary"));

    static List<DatabaseFinding> of(Statement statement) throws SQLException {
        Map<String, String> values = variables(statement);
        List<DatabaseFinding> findings = new ArrayList<>();
        String version = values.getOrDefault("version", "");
        findings.add(DatabaseFinding.good((version.contains("MariaDB") ? "" : "MySQL ") + version));
        for (Setting setting : SETTINGS) {
            String value = values.getOrDefault(setting.name(), "");
            String text = setting.name() + " = " + value;
            findings.add(
                    setting.unsafe().contains(value.toUpperCase(Locale.ROOT))
                            ? DatabaseFinding.bad(text + ": " + setting.why())
                            : DatabaseFinding.good(text));
        }
        findings.add(binaryLog(values));
        return findings;
    }

    private static DatabaseFinding binaryLog(Map<String, String> values) {
        if (!values.getOrDefault("log_bin", "").equalsIgnoreCase("ON")) {
            return DatabaseFinding.good("log_bin = OFF");
        }
        String sync = values.getOrDefault("sync_binlog", "");
        String text = "log_bin = ON, sync_binlog = " + sync;
        return sync.equals("1")
                ? DatabaseFinding.good(text)
                : DatabaseFinding.bad(
                        text + ": after a crash, acknowledged commits that are not in the binary log on disk are"
                                + " rolled back: set sync_binlog = 1");
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
