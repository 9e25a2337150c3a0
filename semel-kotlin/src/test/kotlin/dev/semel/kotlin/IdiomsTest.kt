package dev.semel.kotlin

import dev.semel.Codec
import dev.semel.Execution
import dev.semel.Failures
import dev.semel.Identity
import dev.semel.Operation
import dev.semel.Refusal
import dev.semel.Retention
import dev.semel.State
import dev.semel.engine.SemelEngine
import dev.semel.engine.Tracer
import dev.semel.memory.MemoryStore
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.Test

@DisplayName("Idioms of Kotlin")
internal class IdiomsTest {
    @Test
    fun an_operation_has_the_defaults_of_java_unless_it_says_otherwise() {
        val plain = Operation.named("charge")
        val same = operation("charge")
        assertThat(same).isEqualTo(plain)

        val own =
            operation("charge") {
                retention = Retention.PAYMENT.toKotlinDuration()
                lease = 5.seconds
                maxWait = 2.seconds
                failures = Failures.RECONCILE
                reexecutableAfterCrash = true
                failure { if (it is IllegalArgumentException) Failures.RETRY else null }
            }
        assertThat(own.failureRule(plain.rule()))
            .isEqualTo(
                plain
                    .retention(Retention.PAYMENT)
                    .lease(java.time.Duration.ofSeconds(5))
                    .waitUpTo(java.time.Duration.ofSeconds(2))
                    .failures(Failures.RECONCILE)
                    .reexecutableAfterCrash(),
            )
        assertThat(own.rule().judge(IllegalArgumentException())).hasValue(Failures.RETRY)
        assertThat(own.rule().judge(IllegalStateException())).isEmpty()
    }

    @Test
    fun an_execution_without_an_answer_has_another() {
        val refused: Execution<String> = Execution.Refused(Refusal.Mismatch())
        val replayed: Execution<String> = Execution.Replayed("receipt")

        assertThat(refused.getOrNull()).isNull()
        assertThat(refused.getOrElse { "none: ${(it as Execution.Refused).why}" })
            .isEqualTo("none: ${Refusal.Mismatch()}")
        assertThat(replayed.getOrNull()).isEqualTo("receipt")
        assertThat(replayed.getOrElse { "none" }).isEqualTo("receipt")
    }

    /** Counts on which threads the execution is current. */
    private class ThreadTracer : Tracer {
        val current = ThreadLocal.withInitial { 0 }
        val entered = AtomicInteger()
        val left = AtomicInteger()

        override fun claim(
            operation: String,
            identity: Identity,
        ) = object : Tracer.OfClaim {
            override fun granted(fence: Long) =
                object : Tracer.OfExecution {
                    override fun origin() = ""

                    override fun makeCurrent(): Tracer.Current {
                        entered.incrementAndGet()
                        current.set(current.get() + 1)
                        return Tracer.Current {
                            left.incrementAndGet()
                            current.set(current.get() - 1)
                        }
                    }

                    override fun ended(
                        to: State,
                        failure: Boolean,
                    ) = Unit
                }

            override fun replayed(
                near: Boolean,
                origin: String,
            ) = Unit

            override fun refused(refusal: Refusal) = Unit

            override fun failed(failure: Throwable) = Unit
        }
    }

    @Test
    fun an_execution_is_current_for_tracing_on_each_thread_of_its_work_and_nowhere_else() {
        val tracer = ThreadTracer()
        SemelEngine.on(MemoryStore()).tracer(tracer).build().use { semel ->
            runBlocking {
                semel.executeSuspending(operation("charge").intent("acme", "order-42", "100 EUR"), Codec.text()) {
                    assertThat(tracer.current.get()).isEqualTo(1)
                    withContext(Dispatchers.IO) { assertThat(tracer.current.get()).isEqualTo(1) }
                    assertThat(tracer.current.get()).isEqualTo(1)
                    "receipt"
                }
                assertThat(tracer.current.get()).isZero()
                withContext(Dispatchers.IO) { assertThat(tracer.current.get()).isZero() }
            }
        }
        assertThat(tracer.left).hasValue(tracer.entered.get())
    }
}
