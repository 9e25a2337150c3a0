package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.State;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The answer to a call")
class DeliveryTest {

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(StreamObserver<byte[]> answer, String text) {
        answer.onNext(Shop.bytes(text));
        answer.onCompleted();
    }

    /** On one connection, what was sent first arrives first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaves_when_its_record_is_durable(boolean laterThread) throws Exception {
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch durable = new CountDownLatch(1);
        try (ShopServer server = ShopServer.of((request, answer) -> {
            if (laterThread) {
                new Thread(() -> answer(answer, "charged")).start();
            } else {
                answer(answer, "charged");
            }
        })) {
            server.beforeSettle = () -> {
                settling.countDown();
                await(durable);
            };
            CompletableFuture<Answer> first = server.send(Shop.CHARGE, ShopServer.key("k"), "100 EUR");
            settling.await();
            Answer ping = server.send(Shop.UNPROTECTED, new Metadata(), "ping").join();
            boolean early = first.isDone();
            durable.countDown();

            assertThat(ping.text()).isEqualTo("ping");
            assertThat(early).isFalse();
            assertThat(first.join().text()).isEqualTo("charged");
            assertThat(server.state("k")).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void is_recorded_although_the_client_has_cancelled() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicBoolean disturbed = new AtomicBoolean();
        try (ShopServer server = ShopServer.of((request, answer) -> {
            started.countDown();
            finish.await();
            disturbed.set(Context.current().isCancelled() || ((ServerCallStreamObserver<byte[]>) answer).isCancelled());
            answer(answer, "charged");
        })) {
            ShopServer.Sent sent = server.send(Shop.CHARGE, ShopServer.key("k"), "100 EUR", CallOptions.DEFAULT);
            started.await();
            sent.call().cancel("gone", null);
            assertThat(sent.answer().join().code()).isEqualTo(Status.Code.CANCELLED);
            // The server has seen the cancellation when it answers what was sent after it.
            server.send(Shop.UNPROTECTED, new Metadata(), "ping").join();
            finish.countDown();

            ShopServer.eventually().until(() -> server.state("k") == State.COMPLETED);
            assertThat(server.charge("k").text()).isEqualTo("charged");
            assertThat(disturbed).isFalse();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void does_not_depend_on_the_deadline_of_the_client() {
        AtomicReference<Context> seen = new AtomicReference<>();
        try (ShopServer server = ShopServer.of((request, answer) -> {
            seen.set(Context.current());
            answer(answer, "charged to " + ShopServer.CALLER.get());
        })) {
            CallOptions hurried = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.MINUTES);
            Answer first = server.send(Shop.CHARGE, ShopServer.key("k"), "100 EUR", hurried)
                    .answer()
                    .join();

            assertThat(first.text()).isEqualTo("charged to alice");
            assertThat(seen.get().getDeadline()).isNull();
        }
    }

    @Test
    void that_never_comes_leaves_the_outcome_unknown_and_one_that_comes_later_settles_it() {
        AtomicReference<StreamObserver<byte[]>> waiting = new AtomicReference<>();
        ShopServer.Settings settings =
                ShopServer.settings().policy(policy -> policy.answerWithin(Duration.ofMillis(200)));
        try (ShopServer server = settings.start((request, answer) -> waiting.set(answer))) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.state("k")).isEqualTo(State.UNKNOWN);
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);

            answer(waiting.get(), "at last");
            ShopServer.eventually().until(() -> server.state("k") == State.COMPLETED);
            assertThat(server.charge("k").text()).isEqualTo("at last");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void that_comes_later_and_says_nothing_leaves_the_outcome_unknown() {
        AtomicReference<StreamObserver<byte[]>> waiting = new AtomicReference<>();
        ShopServer.Settings settings =
                ShopServer.settings().policy(policy -> policy.answerWithin(Duration.ofMillis(200)));
        try (ShopServer server = settings.start((request, answer) -> waiting.set(answer))) {
            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            waiting.get().onError(Status.RESOURCE_EXHAUSTED.asException());

            server.charge("k").assertRefused(RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void is_the_first_one_where_two_threads_answer() {
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        try (ShopServer server = ShopServer.of((request, answer) -> {
            CountDownLatch start = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                await(start);
                fail(answer, Status.NOT_FOUND, refused);
            });
            other.start();
            start.countDown();
            fail(answer, Status.ALREADY_EXISTS, refused);
            other.join();
        })) {
            for (int round = 1; round <= 20; round++) {
                Answer first = server.charge("k" + round);
                assertThat(first.code()).isIn(Status.Code.NOT_FOUND, Status.Code.ALREADY_EXISTS);
                Answer second = server.charge("k" + round);
                assertThat(second.essence()).isEqualTo(first.essence());
                int rounds = round;
                ShopServer.eventually().until(() -> refused.size() == rounds);
            }
            assertThat(refused).allSatisfy(failure -> assertThat(failure).hasMessageContaining("closed already"));
            assertThat(server.executions).hasValue(20);
        }
    }

    private static void fail(StreamObserver<byte[]> answer, Status status, List<Throwable> refused) {
        Throwable failure = catchThrowable(() -> answer.onError(status.asException()));
        if (failure != null) {
            refused.add(failure);
        }
    }

    @Test
    void counts_although_the_handler_throws_after_it() {
        try (ShopServer server = ShopServer.of((request, answer) -> {
            answer(answer, "charged");
            throw new IllegalStateException("too late");
        })) {
            assertThat(server.charge("k").text()).isEqualTo("charged");
            assertThat(server.charge("k").replayed()).isTrue();
        }
    }

    /** Notes how calls end. */
    private record Endings(List<String> seen) implements ServerInterceptor {

        @Override
        public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
                ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
                @Override
                public void onCancel() {
                    seen.add("cancelled");
                    super.onCancel();
                }

                @Override
                public void onComplete() {
                    seen.add("complete");
                    super.onComplete();
                }
            };
        }
    }

    @Test
    void is_followed_by_the_end_of_the_call_for_inner_interceptors() throws Exception {
        Endings endings = new Endings(new CopyOnWriteArrayList<>());
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ShopServer server = ShopServer.settings().inner(endings).start((request, answer) -> {
            if (new String(request).equals("slow")) {
                started.countDown();
                new Thread(() -> {
                            await(finish);
                            answer(answer, "done");
                        })
                        .start();
            } else {
                answer(answer, "done");
            }
        })) {
            server.charge("k");
            ShopServer.eventually().until(() -> endings.seen().equals(List.of("complete")));

            ShopServer.Sent sent = server.send(Shop.CHARGE, ShopServer.key("s"), "slow", CallOptions.DEFAULT);
            started.await();
            sent.call().cancel("gone", null);
            sent.answer().join();
            server.send(Shop.UNPROTECTED, new Metadata(), "ping").join();
            assertThat(endings.seen()).doesNotContain("cancelled");
            finish.countDown();
            ShopServer.eventually().until(() -> endings.seen().contains("cancelled"));
            assertThat(server.state("s")).isEqualTo(State.COMPLETED);
        }
    }
}
