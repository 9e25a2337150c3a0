package dev.semel.server.cli;

import dev.semel.server.check.oracle.CommandOracle;
import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.oracle.GetOracle;
import dev.semel.server.check.oracle.SqlOracle;
import dev.semel.server.check.wire.Header;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code semel check} counts effects. */
final class EffectOptions {

    @Option(
            names = "--effects-get",
            paramLabel = "URL#/POINTER",
            description = "Count effects in a JSON document: a number, or the elements of an array or object.")
    private @Nullable String get;

    @Option(
            names = "--effects-header",
            paramLabel = "'NAME: VALUE'",
            description = "A header for --effects-get; can be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--effects-sql",
            arity = "2",
            paramLabel = "JDBC-URL QUERY",
            description = "Count effects with a query of PostgreSQL, MariaDB, MySQL or SQLite.")
    private List<String> sql = new ArrayList<>();

    @Option(
            names = "--effects-command",
            paramLabel = "COMMAND",
            description = "Count effects with a command of the shell that prints a number.")
    private @Nullable String command;

    /** @throws IllegalArgumentException when more than one is given, or one is wrong */
    @Nullable
    EffectOracle oracle() {
        if ((get == null ? 0 : 1) + (sql.isEmpty() ? 0 : 1) + (command == null ? 0 : 1) > 1) {
            throw new IllegalArgumentException("give one of --effects-get, --effects-sql and --effects-command");
        }
        if (get != null) {
            return GetOracle.of(get, headers.stream().map(Header::parse).toList());
        }
        if (!sql.isEmpty()) {
            return new SqlOracle(sql.get(0), sql.get(1));
        }
        return command == null ? null : new CommandOracle(command);
    }
}
