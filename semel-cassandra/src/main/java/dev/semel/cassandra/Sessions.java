package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import dev.semel.StoreException;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/** Opens sessions of the driver. */
final class Sessions {

    private Sessions() {}

    /** A session of a store's own. */
    static CqlSession open(CassandraUri uri) {
        CqlSessionBuilder builder = CqlSession.builder()
                .withConfigLoader(config(uri.options()).build())
                .withLocalDatacenter(uri.datacenter());
        uri.contacts()
                .forEach(contact -> builder.addContactPoint(new InetSocketAddress(contact.host(), contact.port())));
        if (uri.user() != null && uri.password() != null) {
            builder.withAuthCredentials(uri.user(), uri.password());
        }
        if (uri.tls()) {
            builder.withSslContext(tls());
        }
        try {
            return builder.build();
        } catch (DriverException e) {
            throw new StoreException("Cassandra cannot be reached at " + uri + ": " + e.getMessage(), e);
        }
    }

    /** The driver repeats nothing that may have been written; with protocol version 5, an uncertain write breaks its connection. */
    static ProgrammaticDriverConfigLoaderBuilder config(CassandraOptions options) {
        return DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, DefaultProtocolVersion.V4.name())
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, options.timeout())
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, options.timeout());
    }

    private static SSLContext tls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new StoreException("this JVM has no TLS", e);
        }
    }
}
