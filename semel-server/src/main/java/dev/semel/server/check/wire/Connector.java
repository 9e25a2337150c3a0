package dev.semel.server.check.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Opens connections, with TLS where the address says https. */
final class Connector {

    private final boolean trustAll;
    private final Duration timeout;

    /** @param trustAll accepts every certificate, as curl's {@code -k} does */
    Connector(boolean trustAll, Duration timeout) {
        this.trustAll = trustAll;
        this.timeout = timeout;
    }

    Socket open(WireRequest request) throws IOException {
        String host = request.uri().getHost();
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(unbracketed(host), request.port()), millis());
            plain.setSoTimeout(millis());
            return request.isTls() ? secured(plain, host, request.port()) : plain;
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private Socket secured(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) factory().createSocket(plain, host, port, true);
        if (!trustAll) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        socket.startHandshake();
        return socket;
    }

    private SSLSocketFactory factory() throws IOException {
        if (!trustAll) {
            return (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private int millis() {
        return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
    }

    /** Accepts every certificate: the user said {@code -k}. */
    private static final class TrustsAll implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // -k
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // -k
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
