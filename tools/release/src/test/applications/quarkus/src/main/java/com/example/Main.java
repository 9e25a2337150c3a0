package com.example;

import com.example.client.Twice;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import org.eclipse.microprofile.config.ConfigProvider;

/** Orders on Quarkus. */
@QuarkusMain
public class Main implements QuarkusApplication {

    @Override
    public int run(String... args) throws Exception {
        // Quarkus has set it to the port that it listens on.
        Twice.post(ConfigProvider.getConfig().getValue("quarkus.http.port", Integer.class), "/orders");
        return 0;
    }
}
