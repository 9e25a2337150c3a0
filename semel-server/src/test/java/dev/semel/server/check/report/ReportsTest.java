package dev.semel.server.check.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.semel.server.check.RuleResult;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.json.Json;
import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.Reproduction;
import dev.semel.server.check.rules.Rule;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.subject.KeyHeader;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Header;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

@DisplayName("A report")
class ReportsTest {

    private static final Target TARGET = new Target(
            "pay <b>",
            "POST",
            "http://127.0.0.1/pay",
            List.of(new Header("Authorization", "Bearer very-secret"), new Header("Content-Type", "application/json")),
            "{\"order\":\"{{uuid}}\",\"who\":\"O'Hara\"}",
            Target.Bodies.NONE,
            new Target.Place("api.yaml", 12));

    @TempDir
    Path directory;

    private static Rule rule(String id) {
        return Rules.all().stream()
                .filter(rule -> rule.info().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static RuleResult result(String id, Outcome outcome) {
        return new RuleResult(rule(id).info(), outcome, Duration.ofMillis(12));
    }

    private static Outcome.Broken broken() {
        Intent intent = TARGET.intent(new KeyHeader("Idempotency-Key", true), new Random(1));
        return new Outcome.Broken(
                "2 executions & <more>\u0001",
                Reproduction.of(intent)
                        .send(intent.request(), "201")
                        .sendTogether(intent.request(), 3, "at the same time")
                        .sendTogether(List.of(intent.request(), intent.request().withMethod("PUT")), "with one key")
                        .giveUp(intent.request(), "0.010", "hangs up")
                        .await("1.000")
                        .count("more than one effect"));
    }

    private static RunResult run(boolean strict) {
        TargetResult target = new TargetResult(
                TARGET,
                "GET http://127.0.0.1/count",
                "curl -s http://127.0.0.1/count",
                null,
                List.of(
                        result("duplicate-in-sequence", new Outcome.Holds("one execution", true)),
                        result("duplicates-at-once", broken()),
                        result("other-body", new Outcome.CouldNotTell("no other body")),
                        result("replay-status", broken()),
                        result("account-timing", new Outcome.Skipped("needs --as"))));
        TargetResult failed = new TargetResult(TARGET, null, null, "got 401 & \"no\"", List.of());
        return new RunResult(List.of(target, failed), CheckSettings.defaults(9), strict, 17, Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("for JUnit is read by Surefire, with failures where the exit code is 1")
    void for_junit_is_read_by_surefire() throws Exception {
        ReportTestSuite suite = suites(run(false)).get(0);
        ReportTestSuite strict = suites(run(true)).get(0);

        assertThat(suite.getNumberOfTests()).isEqualTo(5);
        assertThat(suite.getNumberOfFailures()).isEqualTo(1);
        assertThat(suite.getNumberOfErrors()).isEqualTo(1);
        assertThat(suite.getNumberOfSkipped()).isEqualTo(2);
        assertThat(strict.getNumberOfFailures()).isEqualTo(2);
        assertThat(suite.getTestCases().get(1).getFailureDetail())
                .contains("for i in $(seq 3)")
                .doesNotContain("very-secret");
        assertThat(suites(run(false)).get(1).getNumberOfErrors()).isEqualTo(1);
    }

    @Test
    @DisplayName("for JUnit has suites as Surefire's schema asks for")
    void for_junit_follows_the_schema_of_surefire() throws Exception {
        Validator validator = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(ReportsTest.class.getResource("/check/testsuite.xsd"))
                .newValidator();
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(JunitReport.of(run(true)).getBytes(StandardCharsets.UTF_8)));
        NodeList suites = document.getElementsByTagName("testsuite");

        assertThat(suites.getLength()).isEqualTo(2);
        for (int i = 0; i < suites.getLength(); i++) {
            validator.validate(new DOMSource(suites.item(i)));
        }
        ((Element) suites.item(0)).removeAttribute("failures");
        assertThatThrownBy(() -> validator.validate(new DOMSource(suites.item(0))))
                .hasMessageContaining("failures");
    }

    private List<ReportTestSuite> suites(RunResult run) throws Exception {
        Path file = Files.writeString(directory.resolve("TEST-check.xml"), JunitReport.of(run));
        return new TestSuiteXmlParser(new NullConsoleLogger()).parse(file.toString());
    }

    @Test
    @DisplayName("as JSON follows its schema")
    void as_json_follows_its_schema() {
        var schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JsonReport.schema());

        assertThat(schema.validate(JsonReport.of(run(false)), InputFormat.JSON)).isEmpty();
        assertThat(schema.validate("{\"format\":1}", InputFormat.JSON)).isNotEmpty();
    }

    @Test
    @DisplayName("as SARIF has a result for each broken rule, at the operation's line")
    void as_sarif_has_a_result_for_each_broken_rule() {
        Object sarif = Json.parse(SarifReport.of(run(false), "1.0")).orElseThrow();

        assertThat(Json.at(sarif, "/runs/0/results").map(results -> ((List<?>) results).size()))
                .contains(2);
        assertThat(Json.at(sarif, "/runs/0/results/0/level")).contains("error");
        assertThat(Json.at(sarif, "/runs/0/results/1/level")).contains("warning");
        assertThat(Json.at(sarif, "/runs/0/results/0/locations/0/physicalLocation/region/startLine"))
                .contains(12L);
        long index = (Long) Json.at(sarif, "/runs/0/results/0/ruleIndex").orElseThrow();
        assertThat(Json.at(sarif, "/runs/0/tool/driver/rules/" + index + "/id")).contains("duplicates-at-once");
    }

    @Test
    @DisplayName("as SARIF follows the schema of OASIS")
    void as_sarif_follows_its_schema() {
        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
                .getSchema(ReportsTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json"));

        assertThat(schema.validate(SarifReport.of(run(false), "1.0"), InputFormat.JSON))
                .isEmpty();
        assertThat(schema.validate(SarifReport.of(run(true), "1.0"), InputFormat.JSON))
                .isEmpty();
        assertThat(schema.validate("{\"version\":\"2.1.0\",\"runs\":[{\"results\":[{}]}]}", InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    @DisplayName("as HTML loads nothing, runs nothing, and escapes what servers say")
    void as_html_loads_and_runs_nothing() {
        String page = HtmlReport.of(run(false));

        assertThat(page)
                .contains("Not safe to retry", "2 executions &amp; &lt;more&gt;", "pay &lt;b&gt;", "got 401 &amp;")
                .doesNotContain("<script", "src=", "<link", "very-secret", "[[");
    }

    @Test
    @DisplayName("for terminals has commands that make new keys and values, and hide credentials")
    void for_terminals_has_commands_to_paste() {
        StringWriter out = new StringWriter();
        new TerminalReport(new PrintWriter(out), false).print(run(false));

        assertThat(out.toString())
                .contains("export AUTHORIZATION=", "KEY=$(uuidgen)\n    VALUE=$(uuidgen)\n")
                .contains("curl -i -X POST 'http://127.0.0.1/pay' -H \"Authorization: $AUTHORIZATION\""
                        + " -H 'Content-Type: application/json' -H 'Idempotency-Key: \"'$KEY'\"'"
                        + " --data-raw '{\"order\":\"'$VALUE'\",\"who\":\"O'\\''Hara\"}'")
                .containsPattern(
                        "# with one key\n +curl -s -w '%\\{http_code}\\\\n' -X POST .* & curl -s .* -X PUT .* & wait\n")
                .contains(
                        "# effects before\n    curl -s http://127.0.0.1/count\n",
                        "curl -s --max-time 0.010",
                        "sleep 1.000",
                        "curl -s http://127.0.0.1/count")
                .contains("1 hold, 2 broken, 1 could not tell, 1 not tried", "nothing could be tested")
                .doesNotContain("very-secret", "\u001b");
    }
}
