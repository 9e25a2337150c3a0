package com.example;

import com.example.client.Twice;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application of the quickstart, which the test puts beside this class, and is its client. */
public class Main {

    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext application = SpringApplication.run(
                Shop.class, "--server.port=0", "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
                "--logging.level.root=error");
        int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        Twice.post(port, "/orders");
        System.exit(SpringApplication.exit(application));
    }
}
