package dev.semel.server.check.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Opens connections, with TLS where the address says https. */
final class Connector {

    private final WireOptions options;
    private final ScheduledExecutorService timer;

    /** @param timer closes connections whose time is up */
    Connector(WireOptions options, ScheduledExecutorService timer) {
        this.options = options;
        this.timer = timer;
    }

    /** Tries the host's addresses, one after the other. */
    Connection open(WireRequest request) throws IOException {
        String host = unbracketed(request.uri().getHost());
        IOException last = new UnknownHostException("the host " + host + " is not known");
        for (InetAddress address : addresses(host)) {
            try {
                return open(request, host, address);
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** Checked where the connection is made: a name may mean another machine than when it was asked for the first time. */
    private InetAddress[] addresses(String host) throws IOException {
        InetAddress[] all = InetAddress.getAllByName(host);
        for (InetAddress address : all) {
            if (!options.anyHost() && !address.isLoopbackAddress()) {
                throw new IOException(host + " is " + address.getHostAddress() + ", another machine");
            }
        }
        return all;
    }

    private Connection open(WireRequest request, String host, InetAddress address) throws IOException {
        Connection connection = new Connection(new Socket(), timer, options.timeout());
        try {
            Socket plain = connection.plain();
            plain.setTcpNoDelay(true);
            plain.connect(new InetSocketAddress(address, request.port()), millis());
            plain.setSoTimeout(millis());
            if (request.isTls()) {
                connection.use(secured(plain, host, request.port()));
            }
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            if (connection.isExpired()) {
                throw new SocketTimeoutException("timeout");
            }
            throw e;
        }
    }

    private Socket secured(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) factory().createSocket(plain, host, port, true);
        if (!options.trustAll()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        socket.startHandshake();
        return socket;
    }

    private SSLSocketFactory factory() throws IOException {
        if (!options.trustAll()) {
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
        return (int) Math.min(Integer.MAX_VALUE, options.timeout().toMillis());
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
