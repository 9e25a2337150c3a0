package dev.semel.examples.policies;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** All examples in one application. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class PoliciesApplication {

    public static void main(String[] args) {
        ConfigurableApplicationContext context = SpringApplication.run(PoliciesApplication.class, args);
        System.out.println("The examples are ready: http://127.0.0.1:"
                + context.getEnvironment().getProperty("local.server.port"));
    }
}
