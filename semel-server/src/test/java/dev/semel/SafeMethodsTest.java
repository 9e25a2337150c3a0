package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.client.ClientIntent;
import dev.semel.http.SafeMethods;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client depends on no other module, so it has its own list. */
class SafeMethodsTest {

    private static HttpRequest request(String method) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1/"))
                .method(method, BodyPublishers.noBody())
                .build();
    }

    @ParameterizedTest
    @FieldSource("dev.semel.http.SafeMethods#ALL")
    void need_no_key_in_the_client(String method) {
        assertThatIllegalArgumentException().isThrownBy(() -> ClientIntent.of(request(method)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "PURGE", "query"})
    void are_the_same_in_the_client(String method) {
        assertThat(SafeMethods.contains(method)).isFalse();
        assertThat(ClientIntent.of(request(method)).request().method()).isEqualTo(method);
    }

    @Test
    void are_those_of_rfc_9110_and_10008() {
        assertThat(SafeMethods.ALL).containsExactlyInAnyOrder("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");
    }
}
