package dev.semel.kotlin

import dev.semel.Failures
import dev.semel.Fingerprint
import dev.semel.Intent
import dev.semel.Key
import dev.semel.Operation
import dev.semel.Retention
import dev.semel.Scope
import dev.semel.fingerprint.Fingerprinter
import java.util.Optional
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

@DslMarker
internal annotation class OperationDsl

/**
 * An operation, with the settings that differ from the defaults:
 *
 * ```
 * val charge = operation("charge") {
 *     retention = Retention.PAYMENT.toKotlinDuration()
 *     maxWait = 5.seconds
 *     failure { if (it is ConnectException) Failures.RETRY else null }
 * }
 * ```
 */
public fun operation(
    name: String,
    settings: OperationSettings.() -> Unit = {},
): Operation = OperationSettings(Operation.named(name)).apply(settings).build()

/** The settings of an operation; [Operation] says what each means. */
@OperationDsl
public class OperationSettings internal constructor(
    private val defaults: Operation,
) {
    /** How long a settled record is kept. */
    public var retention: Duration = defaults.retention().toKotlinDuration()

    /** What a retry gets that comes after the retention. */
    public var lateRetries: Operation.LateRetries = defaults.lateRetries()

    /** How long the right to execute lasts without a heartbeat. */
    public var lease: Duration = defaults.lease().toKotlinDuration()

    /** How long a duplicate of a running request waits for its result. */
    public var maxWait: Duration = defaults.maxWait().toKotlinDuration()

    /** What an exception means when [failure] does not say. */
    public var failures: Failures = defaults.failures()

    /** Whether a crashed attempt may simply be executed again. */
    public var reexecutableAfterCrash: Boolean = defaults.reexecutable()

    /** When a key is claimed whose effects all commit in one transaction with its record. */
    public var claim: Operation.ClaimTime = defaults.claim()

    private var rule: Failures.Rule = defaults.rule()

    /** The operation's own reading of its exceptions; null leaves one to [failures]. */
    public fun failure(judge: (Exception) -> Failures?) {
        rule = Failures.Rule { Optional.ofNullable(judge(it)) }
    }

    internal fun build(): Operation =
        Operation(
            defaults.name(),
            retention.toJavaDuration(),
            lease.toJavaDuration(),
            maxWait.toJavaDuration(),
            reexecutableAfterCrash,
            failures,
            rule,
            lateRetries,
            claim,
        )
}

/** A preset as a duration of Kotlin. */
public fun Retention.toKotlinDuration(): Duration = duration().toKotlinDuration()

/** The intent to have this operation done once. */
public fun Operation.intent(
    scope: Scope,
    key: Key,
    fingerprint: Fingerprint,
): Intent = Intent.of(this, scope, key, fingerprint)

/** The intent to have this operation done once, whose request means this text. */
public fun Operation.intent(
    scope: String,
    key: String,
    meaning: String,
): Intent = intent(Scope.of(scope), Key.of(key), Fingerprinter.sha256().ofText(meaning))
