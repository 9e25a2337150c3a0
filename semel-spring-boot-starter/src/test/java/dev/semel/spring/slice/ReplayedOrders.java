package dev.semel.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.spring.slice.ShopApplication.Warehouse;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** The tests of the page; each version of Spring Boot has the annotations of its subclasses in other packages. */
@Import(ReplayedOrders.Shipping.class)
abstract class ReplayedOrders {

    /** Notes what was shipped. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Shipping {

        final List<String> shipped = new CopyOnWriteArrayList<>();

        @Bean
        Warehouse warehouse() {
            return item -> {
                shipped.add(item);
                return item + " " + UUID.randomUUID();
            };
        }
    }

    @Autowired
    MockMvcTester mvc;

    @Autowired
    Shipping shipping;

    @Autowired
    Store store;

    @Test
    void ships_once_when_the_client_retries() throws IOException {
        String key = UUID.randomUUID().toString();
        int before = shipping.shipped.size();

        MvcTestResult first = order(key, "tea");
        MvcTestResult retry = order(key, "tea");
        MvcTestResult other = order(key, "coffee");

        assertThat(first).hasStatus(HttpStatus.CREATED).doesNotContainHeader("Idempotency-Replayed");
        assertThat(retry).hasStatus(HttpStatus.CREATED).hasHeader("Idempotency-Replayed", "true");
        assertThat(retry).bodyText().isEqualTo(first.getResponse().getContentAsString());
        assertThat(other).hasStatus(422).bodyText().contains("idempotency_key_reused_with_different_payload");
        assertThat(shipping.shipped).hasSize(before + 1);
    }

    @Test
    void needs_a_key() {
        assertThat(mvc.post().uri("/orders").content("tea"))
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyText()
                .contains("idempotency_key_missing");
    }

    private MvcTestResult order(String key, String item) {
        return mvc.post()
                .uri("/orders")
                .header("Idempotency-Key", key)
                .content(item)
                .exchange();
    }

    @Test
    void keeps_nothing() {
        assertThat(store).isInstanceOf(MemoryStore.class);
    }
}
