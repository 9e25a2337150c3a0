package dev.semel.server.check.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An OpenAPI description")
class OpenApiFileTest {

    private static final String YAML = """
        openapi: 3.0.3
        servers: [{url: 'http://127.0.0.1:8080/v1/'}]
        paths:
          /payments:
            post:
              operationId: createPayment
              parameters:
                - {in: header, name: Idempotency-Key, required: true, schema: {type: string}}
                - {in: header, name: X-Tenant, required: true, example: acme}
                - {in: query, name: mode, required: true, schema: {type: string, enum: [live, test]}}
              requestBody:
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Payment'}
          /payments/{id}/refund:
            parameters:
              - {in: path, name: id, required: true, schema: {type: string, format: uuid}}
            post:
              requestBody: {content: {application/json: {example: {amount: 5}}}}
          /other:
            get: {operationId: list}
        components:
          schemas:
            Payment:
              type: object
              required: [order, amount, lines, nested]
              properties:
                id: {type: string, readOnly: true}
                order: {type: string, format: uuid}
                amount: {type: integer, minimum: 10}
                note: {type: string}
                currency: {type: string, example: EUR}
                lines: {type: array, items: {oneOf: [{type: boolean}, {type: string}]}}
                nested: {allOf: [{properties: {a: {type: number}}}, {properties: {b: {type: string, minLength: 15}}}]}
        """;

    @TempDir
    Path directory;

    private OpenApiFile file(String text) throws IOException {
        return OpenApiFile.read(
                Files.writeString(directory.resolve("api.yaml"), text).toString());
    }

    private static OpenApiFile.Given given(String server) {
        return new OpenApiFile.Given(server, List.of(), "Idempotency-Key", Target.Bodies.NONE);
    }

    @Test
    void gives_the_operations_with_the_keys_header_and_an_example_body_of_their_schema() throws IOException {
        List<Target> targets = file(YAML).targets(List.of(), given(null));

        assertThat(targets).hasSize(1);
        Target payment = targets.get(0);
        assertThat(payment.name()).isEqualTo("createPayment");
        assertThat(payment.url()).isEqualTo("http://127.0.0.1:8080/v1/payments?mode=live");
        assertThat(payment.headers())
                .containsExactly(new Header("X-Tenant", "acme"), new Header("Content-Type", "application/json"));
        assertThat(payment.body())
                .isEqualTo("{\"order\": \"{{uuid}}\",\"amount\": 10,\"currency\": \"EUR\",\"lines\": [true],"
                        + "\"nested\": {\"a\": 1,\"b\": \"semel-checkxxxx\"}}");
        assertThat(payment.place())
                .isEqualTo(new Target.Place(directory.resolve("api.yaml").toString(), 5));
    }

    @Test
    void gives_an_operation_by_id_or_by_method_and_path_with_its_own_example() throws IOException {
        Target refund = file(YAML)
                .targets(List.of("POST /payments/{id}/refund"), given("http://127.0.0.1:9"))
                .get(0);

        assertThat(refund.url()).isEqualTo("http://127.0.0.1:9/payments/{{uuid}}/refund");
        assertThat(refund.body()).isEqualTo("{\"amount\": 5}");
        assertThat(file(YAML).targets(List.of("createPayment"), given(null))).hasSize(1);
    }

    @Test
    void may_be_json() throws IOException {
        String json = """
            {"openapi": "3.1.0", "servers": [{"url": "http://127.0.0.1"}],
             "paths": {
               "/a": {"post": {"requestBody": {"content": {"application/json":
                 {"schema": {"type": ["object", "null"], "properties": {"x": {"type": ["integer", "null"]}}}}}}}}}}
            """;

        Target target = file(json).targets(List.of(), given(null)).get(0);

        assertThat(target.body()).isEqualTo("{\"x\": 1}");
        assertThat(target.place())
                .isEqualTo(new Target.Place(directory.resolve("api.yaml").toString(), 3));
    }

    @Test
    void is_refused_with_what_is_missing() throws IOException {
        assertThatThrownBy(() -> file("swagger: 2.0")).hasMessageContaining("is no OpenAPI 3");
        assertThatThrownBy(() -> file("{")).hasMessageContaining("neither YAML nor JSON");
        assertThatThrownBy(() -> OpenApiFile.read("/no/such/file")).hasMessageContaining("cannot be read");
        OpenApiFile api = file(YAML);
        assertThatThrownBy(() -> api.targets(List.of("pay"), given(null)))
                .hasMessageContaining("there is no operation 'pay'")
                .hasMessageContaining("createPayment");
        OpenApiFile noServer = file(YAML.replace("http://127.0.0.1:8080/v1/", "/v1"));
        assertThatThrownBy(() -> noServer.targets(List.of(), given(null))).hasMessageContaining("names no server");
    }
}
