package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.examples.payments.provider.Provider;
import dev.semel.jdbc.StoreUri;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("Applications on one PostgreSQL")
class SharedDatabaseIT {

    @TempDir
    static Path directory;

    private static String store;
    private static Provider provider;
    private static Books books;

    private static Program first;
    private static Program second;
    private static Api toFirst;
    private static Api toSecond;

    private final String key = UUID.randomUUID().toString();
    private int chargesBefore;

    @BeforeAll
    static void start() throws IOException {
        store = PostgresServer.shared().newDatabase();
        books = new Books(directory.resolve("provider"));
        provider = Provider.start(0, books.providerDirectory());
        first = application();
        second = application();
        toFirst = Api.acme(first.awaitReady("Payments are ready"));
        toSecond = Api.acme(second.awaitReady("Payments are ready"));
    }

    @AfterAll
    static void stop() throws IOException {
        first.close();
        second.close();
        provider.close();
    }

    @BeforeEach
    void count() {
        chargesBefore = books.charges();
    }

    @Test
    void charge_once_for_duplicates_at_both_at_once() {
        List<HttpResponse<String>> answers =
                Api.payAtOnce(64, "/payments", key, Api.order("pm_slow"), toFirst, toSecond);

        assertThat(answers.stream()
                        .filter(answer -> answer.statusCode() == 201)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.statusCode() != 201)
                .allMatch(
                        answer -> answer.statusCode() == 409 && answer.body().contains("idempotency_key_in_progress"));
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void give_all_duplicates_the_same_bytes_where_they_wait() {
        List<HttpResponse<String>> answers =
                Api.payAtOnce(64, "/waiting/payments", key, Api.order("pm_slow"), toFirst, toSecond);

        assertThat(answers).allMatch(answer -> answer.statusCode() == 201);
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void replay_what_one_of_them_answered_before_it_was_killed() {
        HttpResponse<String> paid;
        try (Program third = application()) {
            paid = Api.acme(third.awaitReady("Payments are ready")).pay(key, Api.ORDER);
            third.kill();
        }

        HttpResponse<String> again = toSecond.pay(key, Api.ORDER);

        assertThat(paid.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(paid.body());
        assertThat(Api.header(again, "Location")).isEqualTo(Api.header(paid, "Location"));
        assertThat(Api.isReplay(again)).isTrue();
        assertThat(toSecond.get(Api.header(paid, "Location")).body()).isEqualTo(paid.body());
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void settle_the_charge_during_which_one_of_them_was_killed() {
        try (Program third = application()) {
            var answer =
                    Api.acme(third.awaitReady("Payments are ready")).payAsync("/payments", key, Api.order("pm_slow"));
            await().until(() -> charges() == 1);
            third.kill();
            assertThat(answer).failsWithin(Duration.ofSeconds(10));
        }

        await().until(() -> toSecond.pay(key, Api.order("pm_slow")).statusCode() == 201);
        HttpResponse<String> settled = toFirst.pay(key, Api.order("pm_slow"));
        assertThat(Api.isReplay(settled)).isTrue();
        assertThat(toSecond.get(Api.header(settled, "Location")).body()).isEqualTo(settled.body());
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void create_their_table_at_the_same_moment() throws SQLException {
        StoreUri.Postgresql uri = (StoreUri.Postgresql) StoreUri.parse(store + "?currentSchema=race");
        try (HikariDataSource connections = uri.dataSource();
                Connection other = connections.getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("CREATE SCHEMA race");
            other.setAutoCommit(false);
            statement.execute("CREATE TABLE payment (payment_id text)");
            CompletableFuture<JdbcPayments> creating =
                    CompletableFuture.supplyAsync(() -> new JdbcPayments(JdbcClient.create(connections)));
            await().until(() -> isWaited(statement));
            other.commit();

            assertThat(creating).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Test
    void create_their_table_although_another_process_created_it_meanwhile() {
        StoreUri.Postgresql uri = (StoreUri.Postgresql) StoreUri.parse(store + "?currentSchema=leap");
        try (HikariDataSource connections = uri.dataSource()) {
            JdbcClient jdbc = JdbcClient.create(connections);
            Stream.of("CREATE SCHEMA leap", "CREATE SEQUENCE attempt", """
                    CREATE FUNCTION refuse_first() RETURNS event_trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        IF nextval('leap.attempt') = 1 THEN
                            RAISE EXCEPTION 'type "payment" already exists' USING ERRCODE = 'duplicate_object';
                        END IF;
                    END $$""", """
                    CREATE EVENT TRIGGER refuse_first ON ddl_command_start WHEN TAG IN ('CREATE TABLE')
                    EXECUTE FUNCTION refuse_first()""")
                    .forEach(statement -> jdbc.sql(statement).update());
            try {
                assertThat(new JdbcPayments(jdbc).find("acme", "pay_none")).isEmpty();
            } finally {
                jdbc.sql("DROP EVENT TRIGGER refuse_first").update();
            }
        }
    }

    private static boolean isWaited(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private int charges() {
        return books.charges() - chargesBefore;
    }

    private static Program application() {
        return Program.start(
                PaymentsApplication.class,
                "--server.port=0",
                "--semel.store=" + store + "?" + PostgresServer.PATIENT,
                "--payments.provider=" + provider.uri(),
                "--semel.defaults.lease=1s");
    }
}
