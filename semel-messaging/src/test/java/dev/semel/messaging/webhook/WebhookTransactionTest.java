package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.messaging.TestDatabases;
import dev.semel.messaging.TransactionalHandler;
import dev.semel.messaging.brokers.EffectTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A webhook receiver in transactions")
@Timeout(300)
class WebhookTransactionTest {

    private static final StandardWebhooks SENDER =
            StandardWebhooks.signedWith("whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz");

    private final AtomicInteger runs = new AtomicInteger();
    private final TransactionalHandler<WebhookEvent> handler = (connection, event, attempt) -> {
        runs.incrementAndGet();
        EffectTable.insert(connection, event.id());
    };
    private HikariDataSource dataSource;
    private EffectTable effects;
    private SemelEngine semel;
    private WebhookReceiver receiver;

    @BeforeEach
    void open() throws Exception {
        StoreUri.Postgresql database = TestDatabases.newDatabase();
        TestDatabases.execute(database, EffectTable.DDL);
        dataSource = TestDatabases.pool(database);
        effects = new EffectTable(dataSource);
        semel = SemelEngine.on(Stores.open(database)).build();
        receiver = WebhookReceiver.of(semel, "billing", SENDER).build();
    }

    @AfterEach
    void close() {
        semel.close();
        dataSource.close();
    }

    private static WebhookRequest signed(String id, String body) {
        Map<String, List<String>> headers = SENDER.sign(id, Instant.now(), body.getBytes(UTF_8)).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        return new WebhookRequest(headers, body.getBytes(UTF_8));
    }

    private WebhookAnswer receive(WebhookRequest request) {
        return receiver.receiveInTransaction(request, dataSource, handler);
    }

    private WebhookAnswer receiveAndFail(WebhookRequest request, RuntimeException failure) {
        return receiver.receiveInTransaction(request, dataSource, (connection, event, attempt) -> {
            handler.handle(connection, event, attempt);
            throw failure;
        });
    }

    @Test
    void handles_an_event_once_and_accepts_its_redelivery() throws Exception {
        assertThat(receive(signed("e1", "{}"))).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(receive(signed("e1", "{}"))).isEqualTo(WebhookAnswer.DUPLICATE);
        assertThat(effects.rows()).isEqualTo(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void rolls_back_the_writes_of_a_failed_handler_and_calls_it_again_without_limit() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(receiveAndFail(signed("e1", "{}"), new IllegalStateException("no invoice")))
                    .isEqualTo(WebhookAnswer.FAILED);
            assertThat(effects.rows()).isZero();
        }
        assertThat(receive(signed("e1", "{}"))).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(effects.rows()).isEqualTo(1);
    }

    @Test
    void rolls_back_and_answers_400_when_the_handler_finds_no_event() throws Exception {
        assertThat(receiveAndFail(signed("e1", "{}"), new NotAnEventException("no data")))
                .isEqualTo(WebhookAnswer.NOT_AN_EVENT);
        assertThat(effects.rows()).isZero();
    }

    @Test
    void refuses_the_id_of_another_event_and_forged_deliveries() throws Exception {
        assertThat(receive(signed("e1", "{\"paid\":1}"))).isEqualTo(WebhookAnswer.HANDLED);
        assertThat(receive(signed("e1", "{\"paid\":2}"))).isEqualTo(WebhookAnswer.ID_REUSED);
        assertThat(receive(new WebhookRequest(Map.of(), new byte[0]))).isEqualTo(WebhookAnswer.NOT_VERIFIED);
        assertThat(effects.rows()).isEqualTo(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void runs_the_handler_once_for_64_deliveries_at_the_same_time() throws Exception {
        int deliveries = 64;
        CyclicBarrier start = new CyclicBarrier(deliveries);
        ExecutorService threads = Executors.newFixedThreadPool(deliveries);
        try {
            WebhookRequest request = signed("e1", "{}");
            List<Future<WebhookAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < deliveries; i++) {
                answers.add(threads.submit(() -> {
                    start.await();
                    return receive(request);
                }));
            }
            List<WebhookAnswer> all = new ArrayList<>();
            for (Future<WebhookAnswer> answer : answers) {
                all.add(answer.get());
            }
            assertThat(runs).hasValue(1);
            assertThat(effects.rows()).isEqualTo(1);
            assertThat(all).containsOnlyOnce(WebhookAnswer.HANDLED);
            assertThat(all)
                    .allMatch(answer -> List.of(WebhookAnswer.HANDLED, WebhookAnswer.DUPLICATE, WebhookAnswer.NOT_NOW)
                            .contains(answer));
            assertThat(receive(request)).isEqualTo(WebhookAnswer.DUPLICATE);
        } finally {
            threads.shutdownNow();
        }
    }
}
