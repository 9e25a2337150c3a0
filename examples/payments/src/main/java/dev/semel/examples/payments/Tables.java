package dev.semel.examples.payments;

import java.util.List;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Creates this example's own tables; several processes may do so at the same time. */
public final class Tables {

    private Tables() {}

    /** Runs statements that change nothing when they are run again. */
    public static void create(JdbcClient jdbc, List<String> statements) {
        for (String statement : statements) {
            create(jdbc, statement);
        }
    }

    private static void create(JdbcClient jdbc, String statement) {
        try {
            jdbc.sql(statement).update();
        } catch (DataAccessException e) {
            // Despite IF NOT EXISTS, PostgreSQL fails when another process creates the same at the same time: with a
            // duplicate key, a duplicate table or a duplicate type. Now it exists.
            jdbc.sql(statement).update();
        }
    }
}
