package dev.semel.server.gateway;

import dev.semel.server.gateway.config.TlsConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The certificates of a listener, read from their files. */
final class ServerTls {

    private ServerTls() {}

    /** @throws UncheckedIOException when a file cannot be read */
    static ServerSSLOptions read(TlsConfig config) {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setKeyCertOptions(new PemKeyCertOptions()
                .setCertValue(content(config.certificate()))
                .setKeyValue(content(config.key())));
        options.setUseAlpn(true);
        options.setApplicationLayerProtocols(List.of("h2", "http/1.1"));
        Path clientCa = config.clientCa();
        if (clientCa != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(content(clientCa)));
            // Without one a client is anonymous, and its keys have no owner where the scope is mtls.
            options.setClientAuth(ClientAuth.REQUEST);
        }
        return options;
    }

    private static Buffer content(Path file) {
        try {
            return Buffer.buffer(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
