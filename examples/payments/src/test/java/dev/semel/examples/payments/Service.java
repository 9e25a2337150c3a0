package dev.semel.examples.payments;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application, in this process. */
final class Service implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private Service(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Service start(String store, URI provider, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--semel.store=" + store,
                "--payments.provider=" + provider,
                "--semel.defaults.lease=2s",
                "--logging.level.root=error"));
        arguments.addAll(List.of(more));
        return new Service(SpringApplication.run(PaymentsApplication.class, arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Api api() {
        return Api.acme(
                URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")));
    }

    @Override
    public void close() {
        context.close();
    }
}
