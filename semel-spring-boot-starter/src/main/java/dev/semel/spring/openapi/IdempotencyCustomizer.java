package dev.semel.spring.openapi;

import dev.semel.http.Profile;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.RepeatableRequestKey;
import dev.semel.spring.SemelProperties;
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

    /** The extension that has the policy of an operation. */
    private static final String POLICY = "x-idempotency-policy";

    private final Routes routes;
    private final SemelProperties.Http http;

    IdempotencyCustomizer(Routes routes, SemelProperties.Http http) {
        this.routes = routes;
        this.http = http;
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
                            ProblemSchema.addTo(componentsOf(api), policy.profile());
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
            describeHeaders(operation, policy);
        }
        new ProtectedAnswers(policy, http).addTo(operation);
        if (operation.getExtensions() == null || !operation.getExtensions().containsKey(POLICY)) {
            operation.addExtension(POLICY, policy.published(http.keyHeader(), http.strictKeys()));
        }
    }

    private void describeHeaders(Operation operation, RoutePolicy policy) {
        boolean required = policy.keyMode() == RoutePolicy.KeyMode.REQUIRED;
        String name = policy.profile().headerName(http.keyHeader());
        Parameter key = header(operation, name, "8e03978e-40d5-43e8-bc93-6894a57f9324");
        key.setRequired(required);
        if (key.getDescription() == null) {
            key.setDescription("Identifies this request and every retry of it, such as a UUID."
                    + (required ? "" : " A request without it is executed without protection against repetition."));
        }
        if (policy.profile() == Profile.OASIS) {
            Parameter sent = header(operation, RepeatableRequestKey.FIRST_SENT, "Tue, 15 Nov 1994 08:12:31 GMT");
            sent.setRequired(required);
            if (sent.getDescription() == null) {
                sent.setDescription("When the first attempt was sent, as an HTTP date: the same on every retry.");
            }
        }
    }

    /** The description of a header: the application's own, or a new one. */
    private static Parameter header(Operation operation, String name, String example) {
        List<Parameter> known = operation.getParameters();
        Parameter header = known == null
                ? null
                : known.stream()
                        .filter(each -> "header".equals(each.getIn()) && name.equalsIgnoreCase(each.getName()))
                        .findFirst()
                        .orElse(null);
        if (header == null) {
            header = new HeaderParameter()
                    .name(name)
                    .schema(new StringSchema().minLength(1).maxLength(LONGEST_KEY))
                    .example(example);
            operation.addParametersItem(header);
        }
        return header;
    }
}
