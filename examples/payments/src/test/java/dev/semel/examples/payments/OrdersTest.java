package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Orders, in one transaction with their record")
class OrdersTest {

    private static final int MANY = 50;

    @TempDir
    static Path directory;

    private static Service service;
    private static Api api;
    private static JdbcClient jdbc;

    private final String key = UUID.randomUUID().toString();

    @BeforeAll
    static void start() {
        service = Service.start("sqlite:" + directory.resolve("semel.db"), URI.create("http://127.0.0.1:1"));
        api = service.api();
        jdbc = service.bean(JdbcClient.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static HttpResponse<String> order(String key, String items) {
        return api.send("POST", "/orders", key, "{\"items\":[" + items + "]}");
    }

    private static String item(String productId, int quantity) {
        return "{\"productId\":\"" + productId + "\",\"quantity\":" + quantity + "}";
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    private static long number(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    private static long stock(String productId) {
        return number("SELECT stock FROM product WHERE product_id = '" + productId + "'");
    }

    @Test
    void takes_an_order_reserves_its_items_and_replays_the_answer() {
        long before = stock("p-1");

        HttpResponse<String> placed = order(key, item("p-1", 2) + "," + item("p-2", 1));

        assertThat(placed.statusCode()).isEqualTo(201);
        assertThat(Api.isReplay(placed)).isFalse();
        assertThat(json(placed).path("status").asString()).isEqualTo("placed");
        assertThat(stock("p-1")).isEqualTo(before - 2);
        assertThat(api.get(Api.header(placed, "Location")).body()).isEqualTo(placed.body());

        HttpResponse<String> again = order(key, item("p-1", 2) + "," + item("p-2", 1));

        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(placed.body());
        assertThat(Api.isReplay(again)).isTrue();
        assertThat(stock("p-1")).isEqualTo(before - 2);
    }

    @Test
    void records_a_shortage_and_reserves_nothing() {
        long plenty = stock("p-1");
        long scarce = stock("p-scarce");

        HttpResponse<String> refused = order(key, item("p-1", 1) + "," + item("p-scarce", 4));

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(Api.header(refused, "Content-Type")).startsWith("application/problem+json");
        assertThat(json(refused).path("code").asString()).isEqualTo("insufficient_stock");
        assertThat(stock("p-1")).isEqualTo(plenty);
        assertThat(stock("p-scarce")).isEqualTo(scarce);

        HttpResponse<String> again = order(key, item("p-1", 1) + "," + item("p-scarce", 4));

        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).isEqualTo(refused.body());
        assertThat(Api.isReplay(again)).isTrue();
    }

    @Test
    void takes_one_order_of_many_duplicates_at_once() {
        long before = stock("p-3");
        String body = "{\"items\":[" + item("p-3", 1) + "]}";

        List<HttpResponse<String>> answers = Api.payAtOnce(MANY, "/orders", key, body, api);

        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isIn(201, 409));
        assertThat(answers.stream()
                        .filter(answer -> answer.statusCode() == 201)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 201 && !Api.isReplay(answer)))
                .hasSize(1);
        assertThat(stock("p-3")).isEqualTo(before - 1);
    }

    @Test
    void moves_an_order_forward_once_and_keeps_a_log() {
        String orderId = json(order(key, item("p-4", 1))).path("orderId").asString();
        String path = "/orders/" + orderId + "/status";

        HttpResponse<String> paid = api.send("PUT", path, key + "-paid", "{\"status\":\"paid\"}");
        HttpResponse<String> again = api.send("PUT", path, key + "-paid", "{\"status\":\"paid\"}");
        HttpResponse<String> back = api.send("PUT", path, key + "-back", "{\"status\":\"placed\"}");

        assertThat(paid.statusCode()).isEqualTo(200);
        assertThat(json(paid).path("status").asString()).isEqualTo("paid");
        assertThat(again.body()).isEqualTo(paid.body());
        assertThat(Api.isReplay(again)).isTrue();
        assertThat(back.statusCode()).isEqualTo(409);
        assertThat(json(back).path("code").asString()).isEqualTo("status_not_reachable");
        assertThat(number("SELECT count(*) FROM order_status_change WHERE order_id = '" + orderId + "'"))
                .isEqualTo(1);
    }

    @Test
    void recognizes_a_request_by_its_own_tables_after_the_record_has_expired() {
        HttpResponse<String> placed = order(key, item("p-5", 1));
        long before = stock("p-5");
        jdbc.sql("DELETE FROM semel_record WHERE key = :key").param("key", key).update();

        HttpResponse<String> again = order(key, item("p-5", 1));

        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(Api.isReplay(again)).isFalse();
        assertThat(again.body()).isEqualTo(placed.body());
        assertThat(stock("p-5")).isEqualTo(before);
    }

    @Test
    void refuses_another_order_under_a_key_whose_record_has_expired() {
        order(key, item("p-5", 1));
        jdbc.sql("DELETE FROM semel_record WHERE key = :key").param("key", key).update();

        HttpResponse<String> other = order(key, item("p-5", 2));

        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(json(other).path("code").asString()).isEqualTo("key_used_before");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"items\":[]}",
                "{\"items\":[null]}",
                "{\"items\":[{\"productId\":\"p-1\"}]}",
                "{\"items\":[{\"productId\":\"p-1\",\"quantity\":0}]}",
                "{\"items\":[{\"productId\":\"p-1\",\"quantity\":1.5}]}",
                "{\"items\":[{\"productId\":\"\",\"quantity\":1}]}",
                "{\"items\":[{\"productId\":\"p\\u0000\",\"quantity\":1}]}",
                "{\"items\":[{\"productId\":\"p-1\",\"quantity\":1e9}]}",
                "not json"
            })
    void refuses_an_invalid_order_and_releases_the_key(String body) {
        HttpResponse<String> refused = api.send("POST", "/orders", key, body);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("code").asString()).isEqualTo("invalid_request");
        assertThat(order(key, item("p-2", 1)).statusCode()).isEqualTo(201);
    }

    @Test
    void shows_an_order_to_its_account_only() {
        String location = Api.header(order(key, item("p-2", 1)), "Location");

        assertThat(api.as("globex").get(location).statusCode()).isEqualTo(404);
        assertThat(api.as("globex")
                        .send("PUT", location + "/status", key, "{\"status\":\"paid\"}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void refuses_the_same_key_for_another_order() {
        order(key, item("p-2", 1));

        assertThat(order(key, item("p-2", 2)).statusCode()).isEqualTo(422);
    }
}
