package dev.semel.server.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How clients connect over TLS, with HTTP/2 where they speak it. The files are read again when they change.
 *
 * @param certificate the chain of certificates, in PEM
 * @param key its private key, in PEM (PKCS#8)
 * @param clientCa who signs the certificates of clients; null when they need none
 */
public record TlsConfig(
        Path certificate, Path key, @Nullable Path clientCa) {

    /** All files. */
    public List<Path> files() {
        return Stream.concat(Stream.of(certificate, key), Stream.ofNullable(clientCa))
                .toList();
    }
}
