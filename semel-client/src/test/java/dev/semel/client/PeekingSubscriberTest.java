package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A body that is inspected before it is read")
class PeekingSubscriberTest {

    /** A reader that requests when the test does, and records its signals. */
    private static final class Reader implements BodySubscriber<String> {

        private final List<String> got = new ArrayList<>();
        private Flow.Subscription subscription;
        private int requestWithin;

        @Override
        public CompletionStage<String> getBody() {
            return new CompletableFuture<>();
        }

        @Override
        public void onSubscribe(Flow.Subscription newSubscription) {
            subscription = newSubscription;
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            got.add(buffers.stream().mapToInt(ByteBuffer::remaining).sum() + " bytes");
            if (requestWithin > 0) {
                subscription.request(requestWithin);
                requestWithin = 0;
            }
        }

        @Override
        public void onError(Throwable failure) {
            got.add(failure.getMessage());
        }

        @Override
        public void onComplete() {
            got.add("end");
        }
    }

    private final Reader reader = new Reader();
    private final List<String> upstream = new ArrayList<>();
    private final List<Integer> lookedAt = new ArrayList<>();
    private final PeekingSubscriber<String> body = new PeekingSubscriber<>(beginning -> {
        lookedAt.add(beginning.length);
        return reader;
    });

    @BeforeEach
    void subscribe() {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                upstream.add("request " + n);
            }

            @Override
            public void cancel() {
                upstream.add("cancel");
            }
        });
    }

    private void arrives(int bytes) {
        body.onNext(List.of(ByteBuffer.allocate(bytes)));
    }

    @Test
    void has_no_reader_before_it_is_complete() {
        arrives(10);
        arrives(20);
        assertThat(lookedAt).isEmpty();
        assertThat(upstream).containsExactly("request 1", "request 1", "request 1");

        body.onComplete();
        assertThat(lookedAt).containsExactly(30);
        assertThat(reader.got).isEmpty();

        reader.subscription.request(1);
        assertThat(reader.got).containsExactly("30 bytes", "end");
        reader.subscription.request(1);
        assertThat(reader.got).hasSize(2);
    }

    @Test
    void ends_without_a_request_when_it_is_empty() {
        body.onComplete();

        assertThat(lookedAt).containsExactly(0);
        assertThat(reader.got).containsExactly("end");
    }

    @Test
    void is_streamed_when_it_is_too_long_to_inspect() {
        arrives(PeekingSubscriber.LIMIT + 1);
        assertThat(lookedAt).containsExactly(0);
        assertThat(upstream).containsExactly("request 1");

        reader.requestWithin = 2;
        reader.subscription.request(3);
        assertThat(reader.got).containsExactly(PeekingSubscriber.LIMIT + 1 + " bytes");
        assertThat(upstream).containsExactly("request 1", "request 4");

        arrives(5);
        reader.subscription.request(Long.MAX_VALUE);
        body.onComplete();
        assertThat(reader.got).endsWith("5 bytes", "end");
        assertThat(upstream).endsWith("request " + Long.MAX_VALUE);
    }

    @Test
    void keeps_its_order_when_it_ends_before_the_first_request() {
        arrives(PeekingSubscriber.LIMIT + 1);
        body.onComplete();
        assertThat(reader.got).isEmpty();

        reader.subscription.request(1);
        assertThat(reader.got).containsExactly(PeekingSubscriber.LIMIT + 1 + " bytes", "end");
    }

    @Test
    void keeps_its_order_when_it_breaks_off_before_the_first_request() {
        arrives(PeekingSubscriber.LIMIT + 1);
        body.onError(new IOException("reset"));
        assertThat(reader.got).isEmpty();

        reader.subscription.request(1);
        assertThat(reader.got).containsExactly(PeekingSubscriber.LIMIT + 1 + " bytes", "reset");
    }

    @Test
    void has_no_reader_when_it_breaks_off_at_its_start() {
        arrives(10);
        body.onError(new IOException("reset"));

        assertThat(lookedAt).isEmpty();
        assertThat(body.getBody().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void is_not_passed_to_a_reader_that_has_cancelled() {
        arrives(PeekingSubscriber.LIMIT + 1);
        reader.subscription.cancel();
        reader.subscription.request(1);

        assertThat(reader.got).isEmpty();
        assertThat(upstream).endsWith("cancel");
    }
}
