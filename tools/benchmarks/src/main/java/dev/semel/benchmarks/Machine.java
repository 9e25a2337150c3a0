package dev.semel.benchmarks;

/** What the figures were measured on. */
final class Machine {

    private Machine() {}

    static String describe() {
        Runtime runtime = Runtime.getRuntime();
        return System.getProperty("java.vm.name") + " " + Runtime.version().feature() + ", "
                + runtime.availableProcessors() + " processors, heap of " + runtime.maxMemory() / (1 << 20) + " MB, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }
}
