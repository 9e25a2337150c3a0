package dev.semel.server.check.rules;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.Reply;
import dev.semel.server.check.wire.WireClient;
import dev.semel.server.check.wire.WireRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The API under test as rules see it: intents, requests, retries, and the number of effects. */
public final class Probe {

    /** Answers that ask the client to come back with the same key. */
    private static final Set<Integer> WAIT_STATUSES = Set.of(409, 425, 429, 503);

    private final Target target;
    private final CheckSettings settings;
    private final WireClient client;
    private final @Nullable EffectOracle oracle;
    private final Baseline baseline;
    private final Random random;

    /**
     * What the API does with a request that is sent once.
     *
     * @param effects how many effects one execution has; 0 when they are not counted
     * @param late whether effects come only after the answer
     */
    public record Baseline(KeyHeader keys, Answer answer, long effects, boolean late, Duration latency) {}

    public Probe(Target target, CheckSettings settings, Tools tools, Baseline baseline, Random random) {
        this.target = target;
        this.settings = settings;
        this.client = tools.client();
        this.oracle = tools.oracle();
        this.baseline = baseline;
        this.random = random;
    }

    /**
     * What a probe works with.
     *
     * @param oracle null when effects are not counted
     */
    public record Tools(WireClient client, @Nullable EffectOracle oracle) {}

    public Target target() {
        return target;
    }

    public CheckSettings settings() {
        return settings;
    }

    public Baseline baseline() {
        return baseline;
    }

    WireClient client() {
        return client;
    }

    Random random() {
        return random;
    }

    Intent newIntent() {
        return target.intent(baseline.keys(), random);
    }

    Intent newIntent(String body) {
        return target.intent(baseline.keys(), random, body);
    }

    /** The request of an intent by the second account. */
    Intent asOther(Intent intent) {
        WireRequest request = intent.request();
        for (Header header : settings.account()) {
            request = request.without(header.name());
        }
        for (Header header : settings.account()) {
            request = request.with(header.name(), header.value());
        }
        return new Intent(intent.key(), request, intent.values());
    }

    /** The intent with other key lines. */
    WireRequest withKeyLines(Intent intent, String... values) {
        WireRequest request = intent.request().without(settings.header());
        for (String value : values) {
            request = request.with(settings.header(), value);
        }
        return request;
    }

    static WireRequest withBody(WireRequest request, String body) {
        return request.withBody(body.getBytes(StandardCharsets.UTF_8));
    }

    Reply send(WireRequest request) {
        return client.send(request);
    }

    /** Whether an answer asks the client to come back with the same key. */
    boolean asksToWait(Answer answer) {
        return WAIT_STATUSES.contains(answer.status())
                || (answer.status() == 202 && baseline.answer().status() != 202);
    }

    /** Repeats a request until its answer does not ask to wait, or the time is up. */
    Reply sendUntilFinal(WireRequest request) {
        Duration end = client.time().now().plus(settings.waits().patience());
        while (true) {
            Reply reply = client.send(request);
            boolean isFinal = reply instanceof Answer answer && !asksToWait(answer);
            if (isFinal || client.time().now().compareTo(end) > 0) {
                return reply;
            }
            client.time().pause(settings.waits().retryPause());
        }
    }

    /** Waits for executions that no answer tells about. */
    void settle() {
        client.time().pause(settings.waits().settle().plus(baseline.latency()));
    }

    /** The number of effects so far; empty when they are not counted. */
    OptionalLong effects() {
        if (oracle == null) {
            return OptionalLong.empty();
        }
        if (baseline.late()) {
            settle();
        }
        return OptionalLong.of(oracle.count());
    }

    boolean countsEffects() {
        return oracle != null;
    }

    /** How many executions there were since; empty when effects are not counted. */
    OptionalLong executionsSince(OptionalLong before) {
        if (before.isEmpty()) {
            return OptionalLong.empty();
        }
        long more = effects().orElseThrow() - before.getAsLong();
        return OptionalLong.of((more + baseline.effects() - 1) / baseline.effects());
    }

    /** The verdict that something holds, with a remark where effects were not counted. */
    Outcome holds(String detail) {
        return new Outcome.Holds(detail, oracle == null);
    }

    /** Whether two answers say the same: the same bytes, or the same JSON. */
    static boolean sameMeaning(Answer one, Answer other) {
        if (one.status() == other.status() && one.hasBodyOf(other)) {
            return true;
        }
        Optional<Object> first = Json.parse(one.text());
        return one.isSuccess() == other.isSuccess() && first.isPresent() && first.equals(Json.parse(other.text()));
    }

    /**
     * Whether an answer is the recorded one of another request. An answer that two different executions give alike says
     * nothing: it must differ from what a fresh execution answers, unless it is marked as a replay.
     */
    boolean reveals(Reply reply, Answer recorded) {
        if (!(reply instanceof Answer answer) || !answer.isSuccess()) {
            return false;
        }
        return ReplayMark.of(recorded, answer).isPresent()
                || (recorded.body().length > 0
                        && !recorded.hasBodyOf(baseline.answer())
                        && sameMeaning(answer, recorded));
    }

    List<Header> account() {
        return settings.account();
    }
}
