package dev.semel.examples.payments;

import java.net.URI;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** The payment service as a program; {@link Demo} starts it together with a provider. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@EnableConfigurationProperties(PaymentsProperties.class)
public class PaymentsApplication {

    public static void main(String[] args) {
        System.out.println("Payments are ready: " + addressOf(start(args)));
    }

    static ConfigurableApplicationContext start(String... args) {
        return SpringApplication.run(PaymentsApplication.class, args);
    }

    static URI addressOf(ConfigurableApplicationContext context) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }
}
