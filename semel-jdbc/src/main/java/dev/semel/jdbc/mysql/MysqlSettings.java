package dev.semel.jdbc.mysql;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of a server that decide whether it keeps what it confirms. */
final class MysqlSettings {

    private static final String SETTINGS = Sql.file("mysql/settings.sql");

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

    /** The first with SKIP LOCKED; older ones also forget the next fence when they restart. */
    private static final int OLDEST_MARIADB = 10_06_00;

    /** The first that enforces CHECK. */
    private static final int OLDEST_MYSQL = 8_00_16;

    private final Map<String, String> settings;

    private MysqlSettings(Map<String, String> settings) {
        this.settings = settings;
    }

    /** Asks the server. */
    static MysqlSettings of(Statement statement) throws SQLException {
        Map<String, String> settings = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(SETTINGS)) {
            while (rows.next()) {
                settings.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return new MysqlSettings(settings);
    }

    /** A setting as it is, and why it loses records. */
    record Unsafe(String setting, String why) {}

    /** Its name and version. */
    String name() {
        return (isMariadb() ? "MariaDB " : "MySQL ") + setting("version");
    }

    /** The most bytes that a statement may have. */
    long maxPacket() {
        return Long.parseLong(setting("max_allowed_packet"));
    }

    /** The settings that may lose what was confirmed, each with what happens and what to do. */
    List<Unsafe> unsafe() {
        List<Unsafe> unsafe = new ArrayList<>();
        String flush = setting("innodb_flush_log_at_trx_commit");
        if (flush.equals("0") || flush.equals("2")) {
            unsafe.add(new Unsafe(
                    "innodb_flush_log_at_trx_commit = " + flush,
                    "commits are confirmed before they are on disk; a crash forgets the last of them."
                            + " Set innodb_flush_log_at_trx_commit = 1"));
        }
        String doublewrite = setting("innodb_doublewrite");
        if (doublewrite.equals("0")
                || doublewrite.equalsIgnoreCase("OFF")
                || doublewrite.equalsIgnoreCase("DETECT_ONLY")) {
            unsafe.add(new Unsafe(
                    "innodb_doublewrite = " + doublewrite,
                    "a page that a crash left half written cannot be repaired. Set innodb_doublewrite = ON"));
        }
        if (isOn(setting("log_bin")) && !setting("sync_binlog").equals("1")) {
            unsafe.add(new Unsafe(
                    "sync_binlog = " + setting("sync_binlog"),
                    "after a crash, commits that are not in the binary log on disk are undone, also confirmed ones."
                            + " Set sync_binlog = 1"));
        }
        if (isOn(setting("debug_no_sync")) || setting("innodb_flush_method").equalsIgnoreCase("nosync")) {
            unsafe.add(new Unsafe(
                    isOn(setting("debug_no_sync")) ? "debug_no_sync = ON" : "innodb_flush_method = nosync",
                    "nothing is forced to disk; after a crash of the machine the database may be lost or corrupt."
                            + " Remove the setting"));
        }
        return unsafe;
    }

    /** Refuses what cannot work, and what may lose records unless that is accepted. */
    void check(boolean acceptUnsafeDurability) {
        if (version() < (isMariadb() ? OLDEST_MARIADB : OLDEST_MYSQL)) {
            throw new StoreException(
                    "this server, " + name() + ", is too old: Semel needs MariaDB 10.6 or MySQL 8.0.16, or newer");
        }
        for (String readOnly : List.of("read_only", "super_read_only", "innodb_read_only")) {
            if (!isOff(setting(readOnly))) {
                throw new StoreException("MySQL runs with " + readOnly + " = " + setting(readOnly)
                        + ", as replicas do: what they say about a key may be out of date; connect to the primary");
            }
        }
        if (isOn(setting("tx_read_only")) || isOn(setting("transaction_read_only"))) {
            throw new StoreException("MySQL lets this session only read: turn transaction_read_only off for this user");
        }
        if (isOn(setting("wsrep_on")) || !setting("auto_increment_increment").equals("1")) {
            throw new StoreException("this server shares its numbers with others (wsrep_on = " + setting("wsrep_on")
                    + ", auto_increment_increment = " + setting("auto_increment_increment")
                    + "), which do not count in one order, and fences must only rise: use a server with one primary");
        }
        for (Unsafe unsafe : unsafe()) {
            if (!acceptUnsafeDurability) {
                throw new StoreException("MySQL runs with " + unsafe.setting() + ": " + unsafe.why()
                        + ", or accept the risk with acceptUnsafeDurability=true: a lost record is executed again");
            }
        }
    }

    private boolean isMariadb() {
        return (setting("version") + setting("version_comment"))
                .toLowerCase(Locale.ROOT)
                .contains("mariadb");
    }

    private int version() {
        Matcher matcher = VERSION.matcher(setting("version"));
        if (!matcher.find()) {
            return 0;
        }
        return Integer.parseInt(matcher.group(1)) * 10_000
                + Integer.parseInt(matcher.group(2)) * 100
                + Integer.parseInt(matcher.group(3));
    }

    /** Empty when this server has no such setting. */
    private String setting(String name) {
        return settings.getOrDefault(name, "");
    }

    private static boolean isOn(String value) {
        return value.equals("1") || value.equalsIgnoreCase("ON");
    }

    private static boolean isOff(String value) {
        return value.isEmpty() || value.equals("0") || value.equalsIgnoreCase("OFF");
    }
}
