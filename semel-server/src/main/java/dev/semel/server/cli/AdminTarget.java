package dev.semel.server.cli;

import picocli.CommandLine.Mixin;

/** What a command works on: a store, or a console that runs elsewhere. */
final class AdminTarget {

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private SecretOption secret = new SecretOption();

    @Mixin
    private ServerOption server = new ServerOption();

    AdminClient open() {
        return server.isGiven() ? server.open(store) : AdminClient.on(secret.engine(store.open()));
    }
}
