package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;

/** The provider as a program: {@code ProviderMain PORT DIRECTORY}. */
public final class ProviderMain {

    private ProviderMain() {}

    public static void main(String[] args) {
        if (args.length != 2 || !args[0].matches("\\d{1,5}")) {
            System.err.println("usage: ProviderMain PORT DIRECTORY");
            System.exit(2);
        }
        try {
            Provider provider = Provider.start(Integer.parseInt(args[0]), Path.of(args[1]));
            System.out.println("Provider is ready: " + provider.uri());
        } catch (BindException e) {
            System.err.println("provider: port " + args[0] + " is in use");
            System.exit(1);
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("provider: " + e.getMessage());
            System.exit(1);
        }
    }
}
