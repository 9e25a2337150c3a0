package dev.semel.kotlin

import dev.semel.Attempt
import dev.semel.Codec
import dev.semel.Execution
import dev.semel.Failures
import dev.semel.Intent
import dev.semel.NotExecutedException
import dev.semel.Operation
import dev.semel.OutcomeUnknownException
import dev.semel.RecordedFailureException
import dev.semel.Refusal
import dev.semel.State
import dev.semel.StoreException
import dev.semel.engine.SemelEngine
import dev.semel.engine.Store
import dev.semel.spi.RequestVerbs
import dev.semel.testsupport.stores.ForwardingStore
import java.util.UUID
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** What executing from coroutines keeps, on every store. */
@Timeout(60)
internal abstract class ExecuteContract {
    /** A store whose claims are answered when the test says. */
    private class SlowClaims(
        inner: Store,
    ) : ForwardingStore(inner) {
        @Volatile var before: CompletionStage<*> = CompletableFuture.completedFuture(Unit)

        override fun claim(request: RequestVerbs.ClaimRequest): CompletionStage<RequestVerbs.ClaimAnswer> =
            before.thenCompose { super.claim(request) }
    }

    abstract fun open(): Store

    private lateinit var store: SlowClaims
    private lateinit var semel: SemelEngine
    private val effects = AtomicInteger()
    private val charge = operation("charge")
    private val key = UUID.randomUUID().toString()

    @BeforeEach
    fun start() {
        store = SlowClaims(open())
        semel = SemelEngine.on(store).build()
    }

    @AfterEach
    fun stop() {
        semel.close()
    }

    private fun intent(operation: Operation = charge): Intent = operation.intent("acme", key, "100 EUR")

    private fun state(): State? = semel.find(intent().identity()).map { it.state() }.orElse(null)

    private suspend fun pay(
        operation: Operation = charge,
        work: suspend (Attempt) -> Unit = {},
    ): Execution<String> =
        semel.executeSuspending(intent(operation), Codec.text()) { attempt ->
            effects.incrementAndGet()
            work(attempt)
            "receipt"
        }

    @Test
    fun runs_once_and_replays() {
        val seen =
            runBlocking {
                List(2) {
                    when (val execution = pay { yield() }) {
                        is Execution.Ran -> "ran ${execution.value}"
                        is Execution.Replayed -> "replayed ${execution.value}"
                        is Execution.Refused -> "refused ${execution.why}"
                        is Execution.LeaseLost, is Execution.Unconfirmed -> "not on record"
                    }
                }
            }
        assertThat(seen).containsExactly("ran receipt", "replayed receipt")
        assertThat(effects).hasValue(1)
    }

    @Test
    fun many_duplicates_at_once_run_once() {
        val waiting = operation("charge") { maxWait = 50.seconds }
        val executions =
            runBlocking(Dispatchers.Default) {
                List(64) { async { pay(waiting) { yield() } } }.awaitAll()
            }
        assertThat(effects).hasValue(1)
        assertThat(executions.filterIsInstance<Execution.Ran<String>>()).hasSize(1)
        assertThat(executions.filterIsInstance<Execution.Replayed<String>>()).hasSize(63)
        assertThat(executions).allMatch { it.getOrNull() == "receipt" }
    }

    @Test
    fun a_caller_that_is_cancelled_while_the_work_runs_leaves_a_record_of_it() {
        val begun = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        runBlocking(Dispatchers.Default) {
            val caller =
                launch {
                    pay(operation("charge") { failures = Failures.RETRY }) {
                        begun.complete(Unit)
                        goOn.await()
                    }
                }
            begun.await()
            caller.cancel()
            assertThat(state()).isEqualTo(State.IN_PROGRESS)
            goOn.complete(Unit)
            caller.join()

            assertThat(caller.isCancelled).isTrue()
            assertThat(state()).isEqualTo(State.COMPLETED)
            assertThat(pay()).isInstanceOf(Execution.Replayed::class.java)
        }
        assertThat(effects).hasValue(1)
    }

    @ParameterizedTest
    @EnumSource(Failures::class)
    fun work_that_is_cancelled_from_within_leaves_the_outcome_unknown(policy: Failures) {
        val operation = operation("charge") { failures = policy }
        assertThatThrownBy { runBlocking { pay(operation) { withTimeout(1.milliseconds) { awaitCancellation() } } } }
            .isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(state()).isEqualTo(State.UNKNOWN)
        val retry = runBlocking { pay(operation) } as Execution.Refused
        assertThat(retry.why).isInstanceOf(Refusal.OutcomeUnknown::class.java)
        assertThat(effects).hasValue(1)
    }

    @Test
    fun a_cancellation_among_the_causes_leaves_the_outcome_unknown() {
        val retried = operation("charge") { failures = Failures.RETRY }
        assertThatThrownBy { runBlocking { pay(retried) { throw IllegalStateException(CancellationException("inner")) } } }
            .isInstanceOf(OutcomeUnknownException::class.java)
        assertThat(state()).isEqualTo(State.UNKNOWN)
    }

    @Test
    fun work_that_is_cancelled_may_declare_that_it_had_no_effect() {
        val work: suspend (Attempt) -> Unit = { attempt ->
            attempt.notExecuted("not sent yet")
            withTimeout(1.milliseconds) { awaitCancellation() }
        }
        assertThatThrownBy { runBlocking { pay(work = work) } }.isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(state()).isEqualTo(State.FAILED_RETRYABLE)
        assertThat(runBlocking { pay() }).isInstanceOf(Execution.Ran::class.java)
    }

    @Test
    fun a_caller_that_is_cancelled_before_the_grant_executes_nothing_and_frees_the_key() {
        val answer = CompletableFuture<Unit>()
        store.before = answer
        runBlocking {
            val caller = launch(start = CoroutineStart.UNDISPATCHED) { pay() }
            caller.cancelAndJoin()
            answer.complete(Unit)
            Awaitility.await().until { state() == State.FAILED_RETRYABLE }
            assertThat(effects).hasValue(0)

            assertThat(pay()).isInstanceOf(Execution.Ran::class.java)
        }
        assertThat(effects).hasValue(1)
    }

    @Test
    fun a_duplicate_that_waits_is_cancelled_at_once() {
        val begun = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        val waiting = operation("charge") { maxWait = 50.seconds }
        runBlocking(Dispatchers.Default) {
            val first =
                async {
                    pay(waiting) {
                        begun.complete(Unit)
                        goOn.await()
                    }
                }
            begun.await()
            val second = launch(start = CoroutineStart.UNDISPATCHED) { pay(waiting) }
            second.cancelAndJoin()
            goOn.complete(Unit)

            assertThat(first.await()).isInstanceOf(Execution.Ran::class.java)
        }
        assertThat(effects).hasValue(1)
        assertThat(state()).isEqualTo(State.COMPLETED)
    }

    @Test
    fun an_exception_of_the_work_arrives_and_is_replayed_by_the_policy() {
        assertThatThrownBy { runBlocking { pay { throw IllegalArgumentException("declined") } } }
            .isInstanceOf(IllegalArgumentException::class.java)
            .hasMessage("declined")
        assertThatThrownBy { runBlocking { pay() } }
            .isInstanceOf(RecordedFailureException::class.java)
            .hasMessageContaining("declined")
        assertThat(effects).hasValue(1)
    }

    @Test
    fun work_that_was_not_executed_frees_the_key() {
        assertThatThrownBy { runBlocking { pay { throw NotExecutedException("connection refused") } } }
            .isInstanceOf(NotExecutedException::class.java)
        assertThat(runBlocking { pay() }).isInstanceOf(Execution.Ran::class.java)
    }

    @Test
    fun without_its_store_nothing_is_executed() {
        store.before = CompletableFuture.failedFuture<Unit>(StoreException("down"))
        assertThatThrownBy { runBlocking { pay() } }.isInstanceOf(StoreException::class.java)
        assertThat(effects).hasValue(0)
    }
}
