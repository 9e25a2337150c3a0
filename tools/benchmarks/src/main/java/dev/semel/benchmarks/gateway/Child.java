package dev.semel.benchmarks.gateway;

import dev.semel.server.cli.SemelCli;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of every process that the suite starts: a service, a bare hop, or the gateway by its own command.
 *
 * <p>It answers each line that it reads with what it holds, and ends when there is no more to read, also when the process that
 * started it is killed.
 */
final class Child {

    /** What each process prints before its port; the gateway prints the same. */
    static final String READY = "is ready: http://127.0.0.1:";

    /** What stands before the figures of an answer. */
    static final String USAGE = "usage: ";

    private Child() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread orders = new Thread(Child::answerOrders, "orders");
        orders.setDaemon(true);
        orders.start();
        switch (arguments[0]) {
            case "service" -> announce(Service.start());
            case "hop" -> announce(BareHop.start(Integer.parseInt(arguments[1])));
            default -> SemelCli.main(Arrays.copyOf(arguments, arguments.length));
        }
    }

    private static void announce(int port) throws InterruptedException {
        System.out.println("It " + READY + port);
        new CountDownLatch(1).await();
    }

    private static void answerOrders() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            while (in.readLine() != null) {
                System.out.println(USAGE + Usage.now().toLine());
            }
        } catch (IOException e) {
            System.err.println("no more orders: " + e.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }
}
