package dev.semel.spring.openapi;

import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

/**
 * Adds to the description of protected requests the header with the key, and the answers of the protocol. Descriptions of the
 * application are kept.
 */
final class IdempotencyCustomizer implements GlobalOpenApiCustomizer {

    private static final int LONGEST_KEY = 255;

    /** Stands for any value of a path variable; no route names a segment so. */
    private static final String ANY_SEGMENT = "-any-";

    private static final Pattern VARIABLE = Pattern.compile("\\{[^/}]*\\}");

    private final Routes routes;
    private final String keyHeader;

    IdempotencyCustomizer(Routes routes, String keyHeader) {
        this.routes = routes;
        this.keyHeader = keyHeader;
    }

    @Override
    public void customise(OpenAPI api) {
        if (api.getPaths() == null) {
            return;
        }
        api.getPaths()
                .forEach((path, item) -> item.readOperationsMap()
                        .forEach((method, operation) -> policyOf(method, path).ifPresent(policy -> {
                            describe(operation, policy);
                            ProblemSchema.addTo(componentsOf(api));
                        })));
    }

    private Optional<RoutePolicy> policyOf(PathItem.HttpMethod method, String path) {
        String sample = VARIABLE.matcher(path).replaceAll(ANY_SEGMENT);
        return routes.match(
                RequestView.of(method.name(), sample).routingPath(sample).build());
    }

    private static Components componentsOf(OpenAPI api) {
        Components known = api.getComponents();
        if (known != null) {
            return known;
        }
        Components made = new Components();
        api.setComponents(made);
        return made;
    }

    private void describe(Operation operation, RoutePolicy policy) {
        if (policy.keyMode() != RoutePolicy.KeyMode.DERIVED) {
            describeHeader(operation, policy.keyMode() == RoutePolicy.KeyMode.REQUIRED);
        }
        new ProtectedAnswers(policy, keyHeader).addTo(operation);
    }

    private void describeHeader(Operation operation, boolean required) {
        List<Parameter> known = operation.getParameters();
        Parameter header = known == null
                ? null
                : known.stream().filter(this::isKeyHeader).findFirst().orElse(null);
        if (header == null) {
            header = new HeaderParameter()
                    .name(keyHeader)
                    .schema(new StringSchema().minLength(1).maxLength(LONGEST_KEY))
                    .example("8e03978e-40d5-43e8-bc93-6894a57f9324");
            operation.addParametersItem(header);
        }
        header.setRequired(required);
        if (header.getDescription() == null) {
            header.setDescription("Identifies this request and every retry of it, such as a UUID."
                    + (required ? "" : " A request without it is executed without protection against repetition."));
        }
    }

    private boolean isKeyHeader(Parameter parameter) {
        return "header".equals(parameter.getIn()) && keyHeader.equalsIgnoreCase(parameter.getName());
    }
}
