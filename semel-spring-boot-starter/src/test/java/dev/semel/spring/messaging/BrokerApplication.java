package dev.semel.spring.messaging;

import dev.semel.spring.Boot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts Spring Boot applications without a web server, for the tests of listeners. */
final class BrokerApplication {

    private BrokerApplication() {}

    static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.autoconfigure.exclude=" + Boot.DATA_SOURCE.getName(),
                "--spring.main.banner-mode=off",
                "--spring.main.log-startup-info=false",
                "--logging.level.root=warn",
                "--semel.store=memory:"));
        Arrays.stream(properties).map(property -> "--" + property).forEach(arguments::add);
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(String[]::new));
    }
}
