package dev.semel.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The settings of a client. */
record ClientSettings(
        HttpClient http,
        Executor executor,
        ClientTimer timer,
        RetryPolicy policy,
        RetryRule rule,
        KeyHeader header,
        Supplier<String> keys,
        Duration keyLifetime,
        @Nullable IntentJournal journal,
        RetryListener listener,
        ClientTime time,
        RandomGenerator random) {}
