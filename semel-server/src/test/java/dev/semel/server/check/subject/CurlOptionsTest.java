package dev.semel.server.check.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("A pasted curl command")
class CurlOptionsTest {

    @TempDir
    Path directory;

    private static Target target(String command) {
        CurlOptions options = new CurlOptions();
        new CommandLine(options)
                .setExpandAtFiles(false)
                .parseArgs(ShellWords.split(command).toArray(String[]::new));
        return options.target("Idempotency-Key", Target.Bodies.NONE);
    }

    @Test
    void is_understood_with_the_options_that_browsers_and_documentation_write() {
        Target target = target("""
            curl -sS -i -X PUT 'http://127.0.0.1:8080/payments/7?x=1' \\
              -H 'Accept: text/plain' -H "Idempotency-Key: old" -H 'content-type: application/json' \\
              -u alice:secret -b 'a=b' -A tester --compressed -k --data-raw '{"name": "O'\\''Hara", "amount": 5}'\
            """);

        assertThat(target.name()).isEqualTo("PUT /payments/7");
        assertThat(target.url()).isEqualTo("http://127.0.0.1:8080/payments/7?x=1");
        assertThat(target.body()).isEqualTo("{\"name\": \"O'Hara\", \"amount\": 5}");
        assertThat(target.headers())
                .containsExactly(
                        new Header("Accept", "text/plain"),
                        new Header("content-type", "application/json"),
                        new Header("Authorization", "Basic YWxpY2U6c2VjcmV0"),
                        new Header("Cookie", "a=b"),
                        new Header("User-Agent", "tester"));
    }

    @Test
    void means_what_curl_means_by_data_and_json() throws IOException {
        Path file = Files.writeString(directory.resolve("body.json"), "{\"a\":1}");

        assertThat(target("curl 127.0.0.1:1/x -d a=1 -d b=2").body()).isEqualTo("a=1&b=2");
        assertThat(target("curl 127.0.0.1:1/x -d a=1").mediaType()).isEqualTo("application/x-www-form-urlencoded");
        assertThat(target("curl 127.0.0.1:1/x --json @" + file).body()).isEqualTo("{\"a\":1}");
        assertThat(target("curl 127.0.0.1:1/x --json {}").mediaType()).isEqualTo("application/json");
        assertThat(target("curl --url 127.0.0.1:1/x").method()).isEqualTo("POST");
    }

    @Test
    void differs_between_data_raw_binary_and_encoded_data() throws IOException {
        Path file = Files.writeString(directory.resolve("body.txt"), "a=1\r\n&b=2\n");

        assertThat(target("curl 127.0.0.1:1/x -d @" + file).body()).isEqualTo("a=1&b=2");
        assertThat(target("curl 127.0.0.1:1/x --data-binary @" + file).body()).isEqualTo("a=1\r\n&b=2\n");
        assertThat(target("curl 127.0.0.1:1/x --data-raw @home").body()).isEqualTo("@home");
        assertThat(target("curl 127.0.0.1:1/x -d n=1 --data-urlencode 'memo=a b&c' --data-urlencode 'order={{uuid:o}}'")
                        .body())
                .isEqualTo("n=1&memo=a+b%26c&order={{uuid:o}}");
    }

    @Test
    void is_understood_with_what_tools_write() {
        Target target = target("""
            curl --location --globoff --http2 -m 10 -o /dev/null -w '%{http_code}' --retry 3 --request POST \
              'http://127.0.0.1:8080/payments' --header 'Content-Type: application/json' \
              --oauth2-bearer secret -e http://127.0.0.1/shop --data $'{"note":"it\\'s\\u0021\\n"}'\
            """);

        assertThat(target.name()).isEqualTo("POST /payments");
        assertThat(target.body()).isEqualTo("{\"note\":\"it's!\n\"}");
        assertThat(target.headers())
                .contains(new Header("Authorization", "Bearer secret"), new Header("Referer", "http://127.0.0.1/shop"));
    }

    @Test
    void is_refused_with_the_name_of_what_is_not_understood() {
        assertThatThrownBy(() -> target("curl http://127.0.0.1/ --proxy http://p"))
                .hasMessageContaining("--proxy");
        assertThatThrownBy(() -> target("curl http://127.0.0.1/ -H broken"))
                .hasMessageContaining("'broken' is no header");
        assertThatThrownBy(() -> target("curl http://127.0.0.1/ -d @/no/such/file"))
                .hasMessageContaining("/no/such/file");
        assertThatThrownBy(() -> target("curl -d x")).hasMessageContaining("an address is missing");
        assertThatThrownBy(() -> target("curl http://a http://b")).hasMessageContaining("more than one address");
        assertThatThrownBy(() -> ShellWords.split("curl 'open")).hasMessageContaining("not closed");
    }

    @Test
    void gets_fresh_values_for_each_intent_and_the_same_for_a_retry() {
        Target target = target("curl http://127.0.0.1/{{uuid:id}} -H 'X: {{uuid:id}}' -d '{{int}} {{uuid}}'");
        KeyHeader keys = new KeyHeader("Idempotency-Key", true);
        Random random = new Random(1);

        Intent one = target.intent(keys, random);
        Intent two = target.intent(keys, random);
        Intent again = target.intent(keys, new Random(1));

        assertThat(one.values()).hasSize(3).doesNotContainAnyElementsOf(two.values());
        assertThat(one.request().uri().getPath())
                .isEqualTo("/" + one.request().headers().get(0).value());
        assertThat(again.request().bytes()).isEqualTo(one.request().bytes());
        assertThat(one.key())
                .isNotEqualTo(two.key())
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(target("curl http://127.0.0.1/ -H 'Repeatability-First-Sent: {{http-date}}'")
                        .intent(keys, random)
                        .values())
                .singleElement()
                .asString()
                .matches("(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT");
        assertThatThrownBy(() -> target("curl http://127.0.0.1/ -d {{name}}").intent(keys, random))
                .hasMessageContaining("{{name}} does not exist");
    }
}
