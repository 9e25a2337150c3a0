package dev.semel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;
import org.eclipse.jetty.client.StringRequestContent;

/** Sends one POST with each client, with all settings but the time-outs at their defaults. */
enum RealClients {
    JDK_HTTP_CLIENT {
        @Override
        void post(String url, Limits limits) throws Exception {
            jdk(limits).send(jdkRequest(url, limits), BodyHandlers.ofString());
        }
    },
    JDK_HTTP_CLIENT_ASYNC {
        @Override
        void post(String url, Limits limits) throws Exception {
            jdk(limits)
                    .sendAsync(jdkRequest(url, limits), BodyHandlers.ofString())
                    .get();
        }
    },
    URL_CONNECTION {
        @Override
        void post(String url, Limits limits) throws Exception {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setConnectTimeout(limits.connectMillis());
            connection.setReadTimeout(limits.readMillis());
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(BODY.getBytes(StandardCharsets.UTF_8));
            }
            try (InputStream in = connection.getInputStream()) {
                requireRead(connection.getResponseCode() >= 0 && in.readAllBytes().length > 0);
            }
        }
    },
    SOCKET {
        @Override
        void post(String url, Limits limits) throws Exception {
            URI uri = URI.create(url);
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(limits.readMillis());
                InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
                socket.connect(address, limits.connectMillis());
                String head = "POST /pay HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n";
                socket.getOutputStream().write((head + BODY).getBytes(StandardCharsets.UTF_8));
                byte[] read = socket.getInputStream().readNBytes(120);
                if (read.length < 120) {
                    throw new java.io.EOFException("the answer ended after " + read.length + " bytes");
                }
            }
        }
    },
    APACHE_5 {
        @Override
        void post(String url, Limits limits) throws Exception {
            Timeout timeout = Timeout.ofMilliseconds(limits.readMillis());
            ConnectionConfig connections = ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.ofMilliseconds(limits.connectMillis()))
                    .setSocketTimeout(timeout)
                    .build();
            try (CloseableHttpClient client = HttpClients.custom()
                    .setDefaultRequestConfig(
                            RequestConfig.custom().setResponseTimeout(timeout).build())
                    .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                            .setDefaultConnectionConfig(connections)
                            .build())
                    .build()) {
                HttpPost post = new HttpPost(url);
                post.setEntity(new StringEntity(BODY, ContentType.APPLICATION_JSON));
                String unused = client.execute(post, response -> EntityUtils.toString(response.getEntity()));
            }
        }
    },
    OKHTTP {
        @Override
        void post(String url, Limits limits) throws Exception {
            OkHttpClient client = new OkHttpClient.Builder()
                    .connectTimeout(limits.connect())
                    .readTimeout(limits.read())
                    .build();
            Request request = new Request.Builder()
                    .url(url)
                    .post(RequestBody.create(BODY, MediaType.get("application/json")))
                    .build();
            try (Response response = client.newCall(request).execute()) {
                requireRead(response.body() != null && !response.body().string().isEmpty());
            } finally {
                client.dispatcher().executorService().shutdown();
                client.connectionPool().evictAll();
            }
        }
    },
    JETTY {
        @Override
        void post(String url, Limits limits) throws Exception {
            org.eclipse.jetty.client.HttpClient client = new org.eclipse.jetty.client.HttpClient();
            client.setConnectTimeout(limits.connectMillis());
            client.start();
            try {
                client.POST(url)
                        .body(new StringRequestContent(BODY))
                        .timeout(limits.readMillis(), TimeUnit.MILLISECONDS)
                        .send();
            } finally {
                client.stop();
            }
        }
    };

    static final String BODY = "{\"amount\":100}";

    /** How long a client waits: for a connection, and for an answer. */
    record Limits(int connectMillis, int readMillis) {

        /** Longer than a busy machine takes. */
        private static final int LONG = 60_000;

        /** Only what never comes is waited for a short time. */
        static Limits of(FaultyPeer.Fault fault) {
            return switch (fault) {
                case CONNECT_TIMEOUT -> new Limits(400, LONG);
                case SILENT -> new Limits(LONG, 2_000);
                default -> new Limits(LONG, LONG);
            };
        }

        Duration connect() {
            return Duration.ofMillis(connectMillis);
        }

        Duration read() {
            return Duration.ofMillis(readMillis);
        }
    }

    /** Sends the request, and throws what the client throws. */
    abstract void post(String url, Limits limits) throws Exception;

    private static HttpClient jdk(Limits limits) {
        return HttpClient.newBuilder()
                .connectTimeout(limits.connect())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static HttpRequest jdkRequest(String url, Limits limits) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(limits.read())
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
    }

    private static void requireRead(boolean read) throws IOException {
        if (!read) {
            throw new IOException("the answer was empty");
        }
    }
}
