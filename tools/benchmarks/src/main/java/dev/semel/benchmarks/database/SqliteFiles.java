package dev.semel.benchmarks.database;

import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** SQLite files, in a temporary directory or beside a path that was given. */
final class SqliteFiles implements Databases {

    /** What SQLite keeps beside a file. */
    private static final List<String> SUFFIXES = List.of("", "-wal", "-shm", "-journal");

    private final Path prefix;
    private final SqliteOptions options;
    private final @Nullable Path temporary;
    private final Queue<Path> created = new ConcurrentLinkedQueue<>();

    private SqliteFiles(Path prefix, SqliteOptions options, @Nullable Path temporary) {
        this.prefix = prefix;
        this.options = options;
        this.temporary = temporary;
    }

    static SqliteFiles temporary() throws IOException {
        Path directory = Files.createTempDirectory("semel-bench-");
        return new SqliteFiles(directory.resolve("bench.db"), SqliteOptions.DEFAULT, directory);
    }

    static SqliteFiles beside(StoreUri.Sqlite uri) {
        return new SqliteFiles(uri.path(), uri.options(), null);
    }

    @Override
    public Dialect dialect() {
        return Dialect.SQLITE;
    }

    @Override
    public String description() {
        return "SQLite in " + prefix.toAbsolutePath().getParent() + ", WAL, synchronous=FULL";
    }

    @Override
    public Database create(String name) throws IOException {
        Path file = prefix.resolveSibling(prefix.getFileName() + "." + name);
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(
                    file + " exists already: remove it, or give a path that is free with --store sqlite:PATH");
        }
        created.add(file);
        return new Database(Dialect.SQLITE, new StoreUri.Sqlite(file, options));
    }

    @Override
    public void close() throws IOException {
        for (Path file : created) {
            for (String suffix : SUFFIXES) {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
            }
        }
        if (temporary != null) {
            Directories.delete(temporary);
        }
    }
}
