package dev.semel.dynamodb;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local in this process, in memory, on a free port of loopback; one for all tests. Its own start-up class would listen on
 * every interface and report to Amazon.
 */
final class DynamoServer {

    private static final AtomicInteger TABLES = new AtomicInteger();

    private static DynamoServer running;

    private final URI endpoint;

    private DynamoServer(URI endpoint) {
        this.endpoint = endpoint;
    }

    static synchronized DynamoServer start() {
        if (running == null) {
            try {
                running = new DynamoServer(startOnLoopback());
            } catch (Exception e) {
                throw new IllegalStateException("DynamoDB Local does not start", e);
            }
        }
        return running;
    }

    private static URI startOnLoopback() throws Exception {
        System.setProperty("sqlite4java.library.path", nativeLibrary().toString());
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setHandler(
                new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, true, false), null));
        server.start();
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The directory into which the build copies SQLite. */
    private static Path nativeLibrary() {
        Path directory = Path.of("target", "sqlite").toAbsolutePath();
        if (!Files.isDirectory(directory)) {
            throw new IllegalStateException(
                    "there is no SQLite for DynamoDB Local in " + directory + ": run the tests by Maven");
        }
        return directory;
    }

    URI endpoint() {
        return endpoint;
    }

    /** A name that no table has. */
    static String newTable() {
        return "test-" + TABLES.incrementAndGet();
    }
}
