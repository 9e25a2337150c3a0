package dev.semel.examples.payments.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The settings of webhooks")
class WebhookSettingsTest {

    /** Secret, message and signature that the libraries of Standard Webhooks are tested with. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Test
    void sign_as_in_the_specification() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

        assertThat(WebhookSigner.of(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_MfKQ", "whsec_MfKQ9r8GKYqrTwjU#D8IL"})
    void refuse_a_bad_secret_without_repeating_it(String secret) {
        assertThatThrownBy(() -> WebhookSigner.of(secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the webhook secret must ")
                .hasMessageNotContainingAny("MfKQ", "#")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 64})
    void accept_a_secret_as_long_as_the_specification_allows(int bytes) {
        assertThatCode(() -> WebhookSigner.of(secretOf(bytes))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {23, 65})
    void refuse_a_secret_of_another_length(int bytes) {
        assertThatThrownBy(() -> WebhookSigner.of(secretOf(bytes)))
                .hasMessage("the webhook secret must have 24 to 64 bytes, and has " + bytes);
    }

    private static String secretOf(int bytes) {
        return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/webhooks/provider",
                "127.0.0.1:8080/webhooks",
                "localhost:8080/webhooks",
                "ftp://127.0.0.1/webhooks",
                "mailto:ann@example.com",
                "http:",
                "http://",
                "http:///webhooks",
                "http://:8080/webhooks",
                "http://127.0.0.1:0/webhooks",
                "http://127.0.0.1:70000/webhooks",
                "http://127.0.0.1:port/webhooks",
                "http://somewhere/web hooks"
            })
    void refuse_an_invalid_url(String url) {
        assertThatThrownBy(() -> WebhookSettings.to(url, WebhookSigner.of(SECRET)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the webhook URL ")
                .hasMessageContaining(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080/webhooks/provider", "https://example.com", "HTTP://[::1]:8080/?a=b"})
    void accept_a_valid_url(String url) {
        assertThatCode(() -> WebhookSettings.to(url, WebhookSigner.of(SECRET))).doesNotThrowAnyException();
    }

    @Test
    void refuse_to_send_before_the_event() {
        WebhookSettings settings = WebhookSettings.to("http://127.0.0.1/", WebhookSigner.of(SECRET));

        assertThatThrownBy(() -> settings.delay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.backoff(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void do_not_show_the_secret() {
        WebhookSettings settings = WebhookSettings.to("http://127.0.0.1/", WebhookSigner.of(SECRET));

        assertThat(settings.toString()).contains("http://127.0.0.1/").doesNotContain("MfKQ");
    }
}
