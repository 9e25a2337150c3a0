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
        String address = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
        System.out.println("""
                The examples are ready: %1$s

                Try the first one: send this request twice. You get 201, and then the same answer replayed.

                  curl -i %1$s/key-required --json '{"amount":1}' -H 'Idempotency-Key: a-1'

                examples/policies/README.md has the requests of all examples. Ctrl-C stops them.""".formatted(address));
    }
}
