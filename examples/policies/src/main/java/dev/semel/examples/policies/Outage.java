package dev.semel.examples.policies;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Keeps the store from writing until the outage is ended: takes the database's only write lock and holds it. */
@RestController
class Outage {

    private final DataSource dataSource;
    private @Nullable Connection holder;

    Outage(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @PutMapping("/outage")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    synchronized void begin() throws SQLException {
        end();
        holder = dataSource.getConnection();
        holder.createStatement().execute("BEGIN IMMEDIATE");
    }

    @DeleteMapping("/outage")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    synchronized void end() throws SQLException {
        if (holder != null) {
            holder.close();
            holder = null;
        }
    }
}
