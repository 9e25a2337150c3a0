package dev.semel.server.check.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Counts with a query of a database: the first column of its first row. */
public final class SqlOracle implements EffectOracle {

    private final String url;
    private final String query;

    /** @throws IllegalArgumentException when the URL is not one of JDBC */
    public SqlOracle(String url, String query) {
        if (!url.startsWith("jdbc:")) {
            throw new IllegalArgumentException("'" + withoutSecrets(url)
                    + "' is no JDBC URL; write jdbc:postgresql:, jdbc:mariadb: or jdbc:sqlite:");
        }
        this.url = url;
        this.query = query;
    }

    /** A connection each time: it sees what is committed, and holds nothing in between. */
    @Override
    public long count() {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            if (!rows.next()) {
                throw new OracleException("effects cannot be counted: the query has no row");
            }
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new OracleException("effects cannot be counted in " + withoutSecrets(url) + ": " + e.getMessage(), e);
        }
    }

    private static String withoutSecrets(String url) {
        return url.replaceAll("(?i)(password=)[^&;]*", "$1…").replaceAll("//[^/@]*@", "//…@");
    }

    @Override
    public String description() {
        return query + " in " + withoutSecrets(url);
    }

    @Override
    public String command() {
        return "# in " + withoutSecrets(url) + ": " + query.strip().replaceAll("\\s+", " ");
    }
}
