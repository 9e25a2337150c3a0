package dev.semel.examples.payments.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The provider as a program")
class ProviderMainTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void follows_its_options() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            Process process = start(
                    "--late-by=100ms",
                    "--webhook-url=" + receiver.url(),
                    "--webhook-secret=" + SECRET,
                    "--webhook-delay=10ms",
                    "--webhook-duplicate",
                    "--no-webhook-for=pm_ok",
                    "--no-webhook-for=pm_declined",
                    "0",
                    directory.toString());
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                String ready = output.readLine();
                assertThat(ready).startsWith("Provider is ready: http://127.0.0.1:");
                URI uri = URI.create(ready.substring("Provider is ready: ".length()));
                http.send(charge(uri, "k1", "pm_ok"), BodyHandlers.discarding());
                http.send(charge(uri, "k2", "pm_declined"), BodyHandlers.discarding());
                http.sendAsync(charge(uri, "k3", "pm_late"), BodyHandlers.discarding());

                await().atMost(PATIENCE).until(() -> receiver.deliveries().size() == 2);
                assertThat(receiver.keys()).containsExactly("k3", "k3");
                assertThat(Files.readAllLines(directory.resolve("ledger.jsonl")))
                        .hasSize(2);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ProviderMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static HttpRequest charge(URI provider, String key, String method) {
        return HttpRequest.newBuilder(provider.resolve("/charges"))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"customerId":"cus_1","amountCents":1999,"currency":"EUR","paymentMethod":"%s"}""".formatted(method)))
                .build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --webhook-url=ftp://here/x --webhook-secret=SECRET | the webhook URL must be http://HOST/PATH
                    --webhook-url=http://h:x:y --webhook-secret=SECRET | the webhook URL
                    --webhook-url=http://here/ --webhook-secret=whsec_1 | the webhook secret must
                    --webhook-url=http://here/ --webhook-secret=secret | the webhook secret must begin with whsec_
                    --webhook-url=http://here/ | --webhook-secret
                    --webhook-secret=SECRET | --webhook-url
                    --no-webhook-for=pm_ok | --webhook-url
                    --webhook-url=http://here/ --webhook-secret=SECRET --no-webhook-for=pm_gold | 'pm_gold' is none of pm_ok, pm_declined
                    --webhook-url=http://here/ --webhook-secret=SECRET --webhook-delay=soon | 'soon' is not a duration
                    --webhook-url=http://here/ --webhook-secret=SECRET --webhook-delay=-1s | a webhook cannot be sent before its event
                    --late-by=-1s | a charge cannot be made
                    --late-by=99999999999999999d | is not a duration
                    --gold | --gold
                    """)
    void refuses_bad_options_before_it_starts(String options, String reason) {
        String[] arguments = Stream.concat(
                        Stream.of(options.replace("SECRET", SECRET).split(" ")),
                        Stream.of("0", directory.resolve("books").toString()))
                .toArray(String[]::new);

        assertThat(refusal(2, arguments)).startsWith("provider: ").contains(reason);
        assertThat(directory.resolve("books")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "port"})
    void refuses_an_invalid_port(String port) {
        assertThat(refusal(2, "--", port, directory.resolve("books").toString()))
                .startsWith("provider: ")
                .contains(port);
    }

    @Test
    void names_a_missing_parameter() {
        assertThat(refusal(2)).contains("PORT").contains("DIRECTORY");
    }

    @Test
    void reports_a_port_that_is_in_use() throws Exception {
        try (RunningProvider other = RunningProvider.start(directory, ProviderSettings.defaults())) {
            String port = String.valueOf(other.provider().uri().getPort());

            assertThat(refusal(1, port, directory.resolve("books").toString()))
                    .isEqualTo("provider: port " + port + " is in use\n");
            assertThat(refusal(1, "0", directory.toString())).contains("is in use by another provider");
        }
    }

    private static String refusal(int status, String... arguments) {
        StringWriter errors = new StringWriter();
        assertThat(ProviderMain.command().setErr(new PrintWriter(errors, true)).execute(arguments))
                .isEqualTo(status);
        return errors.toString();
    }
}
