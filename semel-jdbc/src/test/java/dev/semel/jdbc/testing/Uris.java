package dev.semel.jdbc.testing;

import dev.semel.jdbc.StoreUri;

/** The URIs of test servers, parsed. */
public final class Uris {

    private Uris() {}

    public static StoreUri.Mysql mysql(String uri) {
        return (StoreUri.Mysql) StoreUri.parse(uri);
    }

    public static StoreUri.Postgresql postgresql(String uri) {
        return (StoreUri.Postgresql) StoreUri.parse(uri);
    }
}
