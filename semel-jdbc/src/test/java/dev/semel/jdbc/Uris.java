package dev.semel.jdbc;

/** The URIs of test servers, parsed. */
final class Uris {

    private Uris() {}

    static StoreUri.Mysql mysql(String uri) {
        return (StoreUri.Mysql) StoreUri.parse(uri);
    }

    static StoreUri.Postgresql postgresql(String uri) {
        return (StoreUri.Postgresql) StoreUri.parse(uri);
    }
}
