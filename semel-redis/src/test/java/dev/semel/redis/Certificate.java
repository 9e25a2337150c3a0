package dev.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A server's self-signed certificate and its key, as PEM files.
 *
 * @param file the certificate, which is also its own authority
 */
record Certificate(Path file, Path key) {

    private static final String PASSWORD = "changeit";

    /** Creates one for these names, such as {@code ip:127.0.0.1}. */
    static Certificate of(Path directory, String name, String alternativeNames) throws Exception {
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=" + alternativeNames,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        KeyStore keys = load(store);
        return new Certificate(
                pem(
                        directory.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate(name).getEncoded()),
                pem(
                        directory.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private static KeyStore load(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static Path pem(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
