package dev.semel.torture.net;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Connections to the databases of stores, behind the stores' backs. */
public final class Databases {

    private static final String SQLITE = "sqlite:";

    private Databases() {}

    /** Connects to the database that a store's URI names. */
    public static Connection connect(String uri) throws SQLException {
        int question = uri.indexOf('?');
        String plain = question < 0 ? uri : uri.substring(0, question);
        if (plain.startsWith(SQLITE)) {
            return DriverManager.getConnection("jdbc:" + plain);
        }
        URI server = URI.create(plain);
        String driver = server.getScheme().equals("mysql") ? "mariadb" : server.getScheme();
        return DriverManager.getConnection(
                "jdbc:" + driver + "://" + server.getHost() + port(server) + server.getRawPath(),
                credentials(server.getRawUserInfo()));
    }

    private static String port(URI server) {
        return server.getPort() < 0 ? "" : ":" + server.getPort();
    }

    private static Properties credentials(@Nullable String userInfo) {
        Properties credentials = new Properties();
        if (userInfo != null) {
            String[] parts = userInfo.split(":", 2);
            credentials.setProperty("user", decoded(parts[0]));
            if (parts.length > 1) {
                credentials.setProperty("password", decoded(parts[1]));
            }
        }
        return credentials;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
