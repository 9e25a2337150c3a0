package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The OpenAPI description")
class OpenApiTest {

    private static final String ADMINISTRATOR = "ada/administrator";

    private static JsonObject description(Console console) {
        AdminResponse response = console.get("vera/viewer", "/openapi.json");
        return JsonReader.object(response.body().bytes());
    }

    @Test
    void describes_every_call_with_its_role_and_no_other() {
        try (Console console = new Console()) {
            JsonObject paths = description(console).object("paths");
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

    @Test
    void describes_every_member_that_is_answered() {
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long done = console.completed("acme", "done", "paid");
            long lost = console.unknownAfterStep("acme", "lost", "pay", "paid");
            console.dead("acme", "dead");
            console.misused("acme", "done");
            String named = "{\"scope\":\"acme\",\"key\":\"lost\",\"fence\":" + lost + ",\"reason\":\"r\"";
            String ofDone = "{\"scope\":\"acme\",\"key\":\"done\",\"fence\":" + done + ",\"reason\":\"r\"}";
            check(console, "/unknown/note", named + "}");
            check(console, "/records/step", named + ",\"step\":\"pay\"}");
            check(console, "/unknown/settle/preview", named + ",\"happened\":false}");
            check(console, "/unknown/settle", named + ",\"happened\":false}");
            check(console, "/unknown/search", "{}");
            check(console, "/records/search", "{\"limit\":1}");
            check(console, "/records/get", "{\"scope\":\"acme\",\"key\":\"lost\"}");
            check(console, "/records/get", "{\"scope\":\"acme\",\"key\":\"done\"}");
            check(console, "/records/response", ofDone);
            check(console, "/records/forget", ofDone);
            check(console, "/unknown/requeue", named + "}");
            check(
                    console,
                    "/unknown/bulk",
                    "{\"action\":\"requeue\",\"dryRun\":true,\"reason\":\"r\",\"records\":"
                            + "[{\"scope\":\"acme\",\"key\":\"lost\",\"fence\":1}]}");
            check(console, "/prune", "{\"reason\":\"r\"}");
            for (String path : List.of("/session", "/figures", "/misuse", "/operations", "/health", "/doctor")) {
                check(console, path, null);
            }
        }
    }

    private static void check(Console console, String path, @Nullable String body) {
        AdminResponse response =
                body == null ? console.get(ADMINISTRATOR, path) : console.post(ADMINISTRATOR, path, body);
        assertThat(response.status()).as(path).isEqualTo(200);
        JsonObject all = description(console);
        JsonObject call = all.object("paths").object(path).object(body == null ? "get" : "post");
        JsonObject schema = call.object("responses")
                .object("200")
                .object("content")
                .object("application/json")
                .object("schema");
        assertThat(undescribed(all, schema, JsonReader.object(response.body().bytes()), path))
                .isEmpty();
    }

    /** The members that no schema names. Objects and lists of objects are followed; what they hold else is not looked at. */
    private static List<String> undescribed(JsonObject all, JsonObject schema, JsonObject answer, String where) {
        List<String> found = new ArrayList<>();
        for (String name : answer.names()) {
            JsonObject member = memberOf(all, schema, name);
            if (member == null) {
                found.add(where + "." + name);
                continue;
            }
            JsonObject whole = resolved(all, member);
            String type = whole.names().contains("type") ? whole.text("type", 20) : "object";
            if ("object".equals(type)) {
                found.addAll(undescribed(all, whole, answer.object(name), where + "." + name));
            } else if ("array".equals(type)) {
                JsonObject items = resolved(all, whole.object("items"));
                if (!items.names().contains("type") || "object".equals(items.text("type", 20))) {
                    for (JsonObject each : answer.objects(name, 1000)) {
                        found.addAll(undescribed(all, items, each, where + "." + name));
                    }
                }
            }
        }
        return found;
    }

    private static @Nullable JsonObject memberOf(JsonObject all, JsonObject schema, String name) {
        JsonObject whole = resolved(all, schema);
        if (whole.names().contains("allOf")) {
            for (JsonObject part : whole.objects("allOf", 10)) {
                JsonObject member = memberOf(all, part, name);
                if (member != null) {
                    return member;
                }
            }
        }
        JsonObject properties = whole.object("properties");
        return properties == null ? null : properties.object(name);
    }

    private static JsonObject resolved(JsonObject all, JsonObject schema) {
        String reference = schema.names().contains("$ref") ? schema.text("$ref", 200) : null;
        return reference == null
                ? schema
                : all.object("components")
                        .object("schemas")
                        .object(reference.substring(reference.lastIndexOf('/') + 1));
    }
}
