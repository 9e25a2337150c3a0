package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.key.KeyFinding;
import dev.semel.reconcile.Evidence;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

@DisplayName("the names of metrics in docs and in Prometheus")
class MetricNamesTest extends Fixture {

    private static final Path DOCS = Path.of("../docs/reference");
    private static final Pattern EXPORTED = Pattern.compile("api_idempotency_[a-z_]+");
    private static final Pattern METER = Pattern.compile("`(api\\.idempotency\\.[a-z_.]+)`");
    private static final Identity ID = Identity.of("acme", "k");
    private static final StoreException FAULT = new StoreException("down");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** One event of each type. */
    private static final List<Event> EVENTS = List.of(
            new Event.Granted("charge", ID, 1, false, Duration.ZERO),
            new Event.Replayed("charge", ID, true, Duration.ZERO),
            new Event.RefusedInProgress("charge", ID, Duration.ZERO),
            new Event.RefusedMismatch("charge", ID, Duration.ZERO),
            new Event.RefusedUnknown("charge", ID, 1, Duration.ZERO),
            new Event.RefusedExpired("charge", ID, Duration.ZERO),
            new Event.RefusedFromFuture("charge", ID, Duration.ZERO),
            new Event.ReplayRefused("charge", ID, true),
            new Event.ReplayRefused("charge", ID, false),
            new Event.Settled("charge", ID, 1, State.COMPLETED, Duration.ZERO, Duration.ZERO),
            new Event.LeaseLost("charge", ID, 1, Duration.ZERO, Duration.ZERO),
            new Event.Reconciled("charge", ID, 1, State.COMPLETED, new Evidence("person", "looked")),
            new Event.ZombieKey("charge", ID, 1, false),
            new Event.ReconcileScheduled("charge", ID, 1, 1, Duration.ZERO),
            new Event.ReconcileFailed("charge", ID, 1, "no answer", true),
            new Event.StoreFault("charge", ID, "claim", FAULT),
            new Event.BatchFault("prune", FAULT),
            new Event.CacheFault("find", FAULT),
            new Event.PoorKey("charge", ID.scope(), KeyFinding.EMAIL_ADDRESS, false),
            new Event.Pruned(1, Expiry.DELETE));

    @BeforeEach
    void publish() {
        SemelMetrics metrics = new SemelMetrics(registry);
        new UnknownGauges(
                        SemelEngine.on(store).timer(time).build().unknownOutcomes(),
                        Duration.ofSeconds(30),
                        Runnable::run)
                .bindTo(registry);
        EVENTS.forEach(metrics::on);
    }

    private Set<String> exported() {
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(match.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(Files.readString(DOCS.resolve("grafana-dashboard.json")));
    }

    private static String queries(JsonNode panels) {
        return panels.valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").asString())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void every_type_of_event_is_published_here() {
        assertThat(EVENTS.stream().<Class<?>>map(Event::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(leaves(Event.class).toList());
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(MetricNamesTest::leaves)
                : Stream.of(type);
    }

    @Test
    void every_metric_is_on_the_dashboard_and_every_name_there_is_a_metric() throws IOException {
        assertThat(names(EXPORTED, queries(dashboard().path("panels")))).isEqualTo(exported());
        assertThat(exported()).containsAll(names(EXPORTED, dashboard().toString()));
    }

    @Test
    void the_dashboard_can_be_imported_by_grafana() throws IOException {
        JsonNode dashboard = dashboard();
        assertThat(dashboard.path("title").asString()).isNotEmpty();
        assertThat(dashboard.path("schemaVersion").asInt()).isPositive();
        List<JsonNode> panels = dashboard.path("panels").valueStream().toList();
        assertThat(panels).extracting(panel -> panel.path("id").asInt()).doesNotHaveDuplicates();
        assertThat(panels).allSatisfy(panel -> {
            assertThat(panel.path("type").asString()).isIn("row", "stat", "timeseries");
            assertThat(panel.path("gridPos").path("x").asInt()
                            + panel.path("gridPos").path("w").asInt())
                    .isBetween(1, 24);
            assertThat(panel.path("targets").valueStream())
                    .allSatisfy(target -> assertBalanced(target.path("expr").asString()));
        });
    }

    @Test
    void every_alert_uses_existing_metrics_and_has_a_description() throws IOException {
        String text = Files.readString(DOCS.resolve("prometheus-alerts.yml"));
        assertThat(exported()).containsAll(names(EXPORTED, text));
        List<Map<String, Object>> rules = rules(text);
        String page = Files.readString(DOCS.resolve("observability.md"));
        assertThat(rules).hasSizeGreaterThan(5).allSatisfy(rule -> {
            assertThat(names(EXPORTED, rule.get("expr").toString())).isNotEmpty();
            assertBalanced(rule.get("expr").toString());
            assertThat(rule.get("annotations").toString()).contains("summary=").contains("description=");
            assertThat(rule.get("labels").toString()).contains("severity=");
            assertThat(page).contains("| `" + rule.get("alert") + "` |");
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules(String yaml) {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml().load(yaml);
        return file.get("groups").get(0).get("rules");
    }

    private static void assertBalanced(String query) {
        for (String pair : List.of("()", "{}", "[]")) {
            assertThat(query.chars().filter(c -> c == pair.charAt(0)).count())
                    .as(query)
                    .isEqualTo(query.chars().filter(c -> c == pair.charAt(1)).count());
        }
    }

    @Test
    void the_page_names_every_meter_and_no_other() throws IOException {
        Set<String> meters = registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        String page = Files.readString(DOCS.resolve("observability.md"));
        assertThat(names(METER, page)).isEqualTo(meters);
        assertThat(exported()).containsAll(names(EXPORTED, page));
    }
}
