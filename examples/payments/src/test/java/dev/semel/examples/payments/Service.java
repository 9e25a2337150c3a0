package dev.semel.examples.payments;

import dev.semel.examples.payments.provider.Provider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application and its provider, in this process. */
final class Service implements AutoCloseable {

    private final Provider provider;
    private final ConfigurableApplicationContext context;
    private final Books books;

    private Service(Provider provider, ConfigurableApplicationContext context, Books books) {
        this.provider = provider;
        this.context = context;
        this.books = books;
    }

    static Service start(Path directory, String store) throws IOException {
        Path books = directory.resolve("provider");
        Provider provider = Provider.start(0, books);
        ConfigurableApplicationContext context = SpringApplication.run(
                PaymentsApplication.class,
                "--server.port=0",
                "--payments.store=" + store,
                "--payments.provider=" + provider.uri(),
                "--payments.lease=2s");
        return new Service(provider, context, new Books(books));
    }

    Api api() {
        return Api.acme(
                URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")));
    }

    Books books() {
        return books;
    }

    @Override
    public void close() throws IOException {
        context.close();
        provider.close();
    }
}
