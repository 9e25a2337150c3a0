package dev.semel.examples.payments;

import java.util.List;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Creates this example's own tables, by several processes at once if need be. */
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
            // Despite IF NOT EXISTS, PostgreSQL refuses what another process, which starts at the same moment, has
            // created
            // meanwhile: as a duplicate key, a duplicate table or a duplicate type. Now it is there to be seen.
            jdbc.sql(statement).update();
        }
    }
}
