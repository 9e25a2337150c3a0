package dev.semel.benchmarks.store;

/** Other libraries for the same purpose, on the same database. */
record Peers(CamelRepository camel, SpringMetadataStore spring) implements AutoCloseable {

    @Override
    public void close() {
        camel.close();
        spring.close();
    }
}
