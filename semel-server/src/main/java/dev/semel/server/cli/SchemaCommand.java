package dev.semel.server.cli;

import dev.semel.cassandra.CassandraSchema;
import dev.semel.dynamodb.DynamoTable;
import dev.semel.jdbc.JdbcSchema;
import dev.semel.redis.RedisKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the tables of a database, for review and for manual installation; for Redis, its keys; for DynamoDB and Cassandra, its table. */
@Command(
        name = "schema",
        description =
                "Prints the SQL that creates the tables of a store; for Redis, its keys and the rights that its user needs;"
                        + " for DynamoDB, the commands that create its table, and the IAM policy; for Cassandra, keyspace and table as CQL.")
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "DIALECT",
            description = "postgresql, mysql, mariadb, sqlite, redis, dynamodb or cassandra")
    private String dialect = "";

    @Override
    public void run() {
        spec.commandLine().getOut().println(text().stripTrailing());
    }

    private String text() {
        if (dialect.equals("redis")) {
            return RedisKeys.description();
        }
        if (dialect.equals("dynamodb")) {
            return DynamoTable.description();
        }
        if (dialect.equals("cassandra")) {
            return CassandraSchema.description();
        }
        try {
            return JdbcSchema.ddl(dialect);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no schema for '" + Printable.text(dialect)
                            + "': use postgresql, mysql, mariadb, sqlite, redis, dynamodb or cassandra",
                    e);
        }
    }
}
