package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.fingerprint.Parts;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestViewTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            emptyValue = "",
            value = {
                "null, ''",
                "'', ''",
                "b=2&a=1, a=1&b=2",
                "a=2&b=x&a=1, a=2&a=1&b=x",
                "a=%7e&b=%c3%A9, a=~&b=%C3%A9",
                "a=x+y, a=x%20y",
                "a=x%20y, a=x%20y",
                "a=x%2By, a=x%2By",
                "a&b=, a&b=",
                "&&a=1&, a=1",
                "a=%zz, a=%zz",
                "a=%25zz, a=%25zz",
                "a=%, a=%",
                "a=b=c, a=b%3Dc",
                "a=%FF, a=%FF",
            })
    void queries_have_one_canonical_form(String raw, String canonical) {
        assertThat(RequestView.of("POST", "/").rawQuery(raw).build().query()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "/payments, /payments",
        "/payments/, /payments",
        "//payments//42, /payments/42",
        "/./payments/../refunds, /refunds",
        "/.payments, /.payments",
        "payments, /payments",
        "*, /*",
        "/, /",
        "/pay%6Dents;v=1/%2E%2E/x, /x",
        "/caf%C3%A9, /café",
        "/café, /café",
    })
    void paths_are_routed_by_one_form(String received, String routed) {
        assertThat(RequestView.of("POST", received).build().routingPath()).isEqualTo(routed);
    }

    private static Parts parts(String contentType, String body) {
        RequestView view = RequestView.of("POST", "/p")
                .headers(Headers.of("content-type", contentType))
                .build()
                .withBody(Body.of(body.getBytes(StandardCharsets.UTF_8)));
        return RequestParts.of(view, RoutePolicy.of(Operation.named("p")).build());
    }

    @Test
    void of_a_media_type_counts_what_changes_the_meaning() {
        assertThat(parts("Application/JSON; charset=utf-8", "1")).isEqualTo(parts("application/json", "1"));
        assertThat(parts("text/plain;charset=UTF-8", "1")).isEqualTo(parts("text/plain; Charset=\"utf-8\"", "1"));
        assertThat(parts("text/plain;charset=UTF-8", "1")).isNotEqualTo(parts("text/plain", "1"));
        assertThat(parts("text/plain;x=1", "1")).isEqualTo(parts("text/plain", "1"));
    }

    private static String form(String boundary, String name, String value) {
        return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n--"
                + boundary + "--\r\n";
    }

    @Test
    void of_a_multipart_form_count_its_parts() {
        String type = "multipart/form-data; boundary=";

        assertThat(parts(type + "x", form("x", "a", "1"))).isEqualTo(parts(type + "yy", form("yy", "a", "1")));
        assertThat(parts(type + "x", form("x", "a", "1"))).isNotEqualTo(parts(type + "x", form("x", "a", "2")));
        assertThat(parts(type + "x", form("x", "a", "1"))).isNotEqualTo(parts(type + "x", form("x", "b", "1")));
        assertThat(parts(type + "x", "garbage")).isNotEqualTo(parts(type + "x", "other"));
        assertThat(parts("multipart/form-data", "garbage")).isNotEqualTo(parts("multipart/form-data", "other"));
    }
}
