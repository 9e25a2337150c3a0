package dev.semel.kotlin

import dev.semel.engine.Store
import dev.semel.jdbc.sqlite.SqliteStore
import java.nio.file.Path
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.io.TempDir

@DisplayName("Coroutines, on SQLite")
internal class SqliteTest : ExecuteContract() {
    @TempDir
    private lateinit var folder: Path

    override fun open(): Store = SqliteStore.open(folder.resolve("semel.db"))
}
