package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The OpenAPI description")
class OpenApiTest {

    @Test
    void describes_every_call_with_its_role_and_no_other() {
        try (Console console = new Console()) {
            AdminResponse response = console.get("vera/viewer", "/openapi.json");
            JsonObject paths = JsonReader.object(response.body().bytes()).object("paths");
            Set<String> described = new TreeSet<>();
            for (String path : paths.names()) {
                for (String method : paths.object(path).names()) {
                    JsonObject call = paths.object(path).object(method);
                    described.add(method.toUpperCase(Locale.ROOT) + " " + path + " "
                            + call.requiredText("x-semel-role", 20) + " " + call.requiredFlag("x-semel-writes"));
                }
            }
            Set<String> served = new TreeSet<>();
            for (Endpoint endpoint : console.api.endpoints()) {
                Role role = endpoint.role();
                served.add(endpoint.method() + " " + endpoint.path() + " " + (role == null ? "anyone" : role.label())
                        + " " + endpoint.writes());
            }
            assertThat(described).isEqualTo(served);
        }
    }
}
