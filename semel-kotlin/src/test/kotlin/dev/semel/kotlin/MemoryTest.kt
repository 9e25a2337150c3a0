package dev.semel.kotlin

import dev.semel.engine.Store
import dev.semel.memory.MemoryStore
import org.junit.jupiter.api.DisplayName

@DisplayName("Coroutines, in memory")
internal class MemoryTest : ExecuteContract() {
    override fun open(): Store = MemoryStore()
}
