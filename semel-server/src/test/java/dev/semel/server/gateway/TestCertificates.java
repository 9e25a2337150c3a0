package dev.semel.server.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Self-signed certificates, made by the JDK's keytool, as files in PEM. */
final class TestCertificates {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Path directory;

    TestCertificates(Path directory) {
        this.directory = directory;
    }

    /** Makes a certificate with this common name, and returns its key store. */
    KeyStore make(String name) throws Exception {
        Path store = directory.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "it",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString()));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(
                directory.resolve(name + ".cert.pem"),
                pem("CERTIFICATE", keys.getCertificate("it").getEncoded()));
        Files.writeString(
                directory.resolve(name + ".key.pem"),
                pem("PRIVATE KEY", keys.getKey("it", PASSWORD).getEncoded()));
        return keys;
    }

    char[] password() {
        return PASSWORD.clone();
    }

    Path certificate(String name) {
        return directory.resolve(name + ".cert.pem");
    }

    Path key(String name) {
        return directory.resolve(name + ".key.pem");
    }

    private static String pem(String kind, byte[] bytes) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    }
}
