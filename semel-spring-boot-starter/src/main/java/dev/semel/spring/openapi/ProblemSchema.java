package dev.semel.spring.openapi;

import dev.semel.http.ProblemCode;
import dev.semel.http.Profile;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.BooleanSchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import java.util.List;

/** The body of the protocol's own answers: an RFC 9457 problem, with a code for programs. */
final class ProblemSchema {

    private static final String NAME = "IdempotencyProblem";
    private static final String STRIPE_NAME = "IdempotencyError";

    private ProblemSchema() {}

    static void addTo(Components components, Profile profile) {
        String name = name(profile);
        if (components.getSchemas() == null || !components.getSchemas().containsKey(name)) {
            components.addSchemas(name, profile == Profile.STRIPE ? stripeSchema() : schema());
        }
    }

    static Content content(Profile profile) {
        return new Content()
                .addMediaType(
                        profile == Profile.STRIPE ? "application/json" : "application/problem+json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + name(profile))));
    }

    private static String name(Profile profile) {
        return profile == Profile.STRIPE ? STRIPE_NAME : NAME;
    }

    private static Schema<?> stripeSchema() {
        Schema<?> error = new ObjectSchema()
                .addProperty("type", new StringSchema().example("idempotency_error"))
                .addProperty("code", new StringSchema().example("idempotency_key_in_use"))
                .addProperty("message", new StringSchema());
        error.setRequired(List.of("type", "code", "message"));
        Schema<?> schema = new ObjectSchema()
                .description("Why a request was not answered by its handler")
                .addProperty("error", error);
        schema.setRequired(List.of("error"));
        return schema;
    }

    private static Schema<?> schema() {
        Schema<?> schema = new ObjectSchema()
                .description("Why a request was not answered by its handler (RFC 9457)")
                .addProperty("type", new StringSchema().format("uri"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new IntegerSchema())
                .addProperty("detail", new StringSchema())
                .addProperty("code", new StringSchema().example("idempotency_key_in_progress"))
                .addProperty(
                        "retryable",
                        new BooleanSchema()
                                .description("Whether the same request with the same key may get another answer later"))
                .addProperty(
                        "safe_new_key",
                        new BooleanSchema()
                                .description("Whether a new key is certain not to execute the request a second time"))
                .addProperty("next", next());
        schema.setRequired(List.of("type", "title", "status", "code", "retryable", "safe_new_key", "next"));
        return schema;
    }

    private static Schema<?> next() {
        StringSchema code = new StringSchema();
        for (ProblemCode.Next each : ProblemCode.Next.values()) {
            code.addEnumItem(each.code());
        }
        Schema<?> next = new ObjectSchema()
                .description("What to do next")
                .addProperty("code", code)
                .addProperty("detail", new StringSchema());
        next.setRequired(List.of("code", "detail"));
        return next;
    }
}
