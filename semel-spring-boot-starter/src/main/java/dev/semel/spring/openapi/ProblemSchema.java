package dev.semel.spring.openapi;

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

    private ProblemSchema() {}

    static void addTo(Components components) {
        if (components.getSchemas() == null || !components.getSchemas().containsKey(NAME)) {
            components.addSchemas(NAME, schema());
        }
    }

    static Content content() {
        return new Content()
                .addMediaType(
                        "application/problem+json",
                        new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + NAME)));
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
                                .description(
                                        "Whether the same request with the same key may get another answer later"));
        schema.setRequired(List.of("type", "title", "status", "code", "retryable"));
        return schema;
    }
}
