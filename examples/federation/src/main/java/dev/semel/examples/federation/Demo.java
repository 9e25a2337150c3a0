package dev.semel.examples.federation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs bank-b in a process of its own, sends to it as bank-a, and prints each reply beside the balance at bank-b. */
final class Demo {

    private static final String LOST = "t-2";

    private final PrintStream out;

    Demo(PrintStream out) {
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("federation");
        Process bank = startBank(directory);
        try {
            Sender sender = senderTo(bank);
            show(sender, "a message", sender.send("t-1", "credit", credit("bob", 5000)));
            show(sender, "the same message again", sender.send("t-1", "credit", credit("bob", 5000)));
            show(sender, "its id with another amount", sender.send("t-1", "credit", credit("bob", 9999)));
            show(sender, "a message whose answer is lost", sender.send(LOST, "credit", credit("bob", 70)));
            show(sender, "an account that does not exist", sender.send("t-3", "credit", credit("carol", 1)));
        } finally {
            bank.destroyForcibly().waitFor();
        }
        out.println("bank-b was killed, and is started again");
        Process again = startBank(directory);
        try {
            Sender sender = senderTo(again);
            show(sender, "the first message once more", sender.send("t-1", "credit", credit("bob", 5000)));
            show(sender, "the failed one once more", sender.send("t-3", "credit", credit("carol", 1)));
        } finally {
            again.destroyForcibly().waitFor();
        }
        out.println("The data and the log of bank-b are in " + directory);
    }

    static String credit(String account, long amountCents) {
        return Wire.JSON
                .createObjectNode()
                .put("account", account)
                .put("amountCents", amountCents)
                .toString();
    }

    private static Process startBank(Path directory) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FederationMain.class.getName()));
        command.addAll(List.of("receive", "--port", "0", "--directory", directory.toString(), "--lose-answer", LOST));
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("bank-b.log").toFile())
                .start();
    }

    /** Reads the address that the process prints when it is ready. */
    private Sender senderTo(Process bank) throws IOException {
        BufferedReader lines = bank.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("bank-b ended before it was ready");
        }
        out.println(line + " (process " + bank.pid() + ")");
        return new Sender("bank-a", URI.create(line.substring(line.indexOf("http"))));
    }

    private void show(Sender sender, String what, Sender.Sent sent) throws IOException, InterruptedException {
        out.printf(
                "  %-31s sent %dx  %s%n  %-31s          bob has %s%n",
                what,
                sent.deliveries(),
                new String(Wire.write(sent.reply()), StandardCharsets.UTF_8),
                "",
                sender.balance("bob"));
    }
}
