package dev.semel.server.check.wire;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as it goes over the wire: every header line is sent as it stands, also one that is wrong or repeated.
 *
 * @param headers without Host, Connection and Content-Length, which are added
 */
@SuppressWarnings("ArrayRecordComponent")
public record WireRequest(String method, URI uri, List<Header> headers, byte[] body) {

    public WireRequest {
        headers = List.copyOf(headers);
    }

    public WireRequest with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new WireRequest(method, uri, more, body);
    }

    public WireRequest without(String name) {
        return new WireRequest(
                method,
                uri,
                headers.stream().filter(header -> !header.isNamed(name)).toList(),
                body);
    }

    public WireRequest withMethod(String other) {
        return new WireRequest(other, uri, headers, body);
    }

    public WireRequest withUri(URI other) {
        return new WireRequest(method, other, headers, body);
    }

    public WireRequest withBody(byte[] other) {
        return new WireRequest(method, uri, headers, other);
    }

    public String bodyText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    boolean isTls() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    int port() {
        return uri.getPort() >= 0 ? uri.getPort() : isTls() ? 443 : 80;
    }

    /** The bytes; values are written as ISO 8859-1, so that each character up to U+00FF is one byte. */
    public byte[] bytes() {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        if (headers.stream().noneMatch(header -> header.isNamed("Host"))) {
            head.append("Host: ")
                    .append(uri.getRawAuthority().replaceFirst(".*@", ""))
                    .append("\r\n");
        }
        headers.forEach(header -> head.append(header.line()).append("\r\n"));
        if (headers.stream().noneMatch(header -> header.isNamed("User-Agent"))) {
            head.append("User-Agent: semel-check\r\n");
        }
        head.append("Connection: close\r\n");
        if (body.length > 0 || !List.of("GET", "HEAD", "OPTIONS", "DELETE").contains(method)) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        out.writeBytes(body);
        return out.toByteArray();
    }
}
