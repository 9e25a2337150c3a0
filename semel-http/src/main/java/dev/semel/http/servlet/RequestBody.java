package dev.semel.http.servlet;

import dev.semel.http.Body;
import dev.semel.http.MediaTypes;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The body of a request, read once.
 *
 * @param parsedBefore whether an earlier filter made the container parse the body as a form: the bytes are then rebuilt from
 *     the container's parameters
 */
record RequestBody(Body content, boolean parsedBefore) {

    /**
     * Reads the body to its end; empty when it is longer than allowed.
     *
     * @throws ServletException when an earlier filter has read it already, so that its content is lost
     */
    static Optional<RequestBody> read(HttpServletRequest request, int max) throws IOException, ServletException {
        long declared = request.getContentLengthLong();
        if (declared > max) {
            return Optional.empty();
        }
        byte[] bytes = readUpTo(max, declared, request.getInputStream());
        if (bytes.length > max) {
            return Optional.empty();
        }
        if (bytes.length > 0 || declared == 0 || (declared < 0 && request.getHeader("Transfer-Encoding") == null)) {
            return Optional.of(new RequestBody(Body.of(bytes), false));
        }
        if (MediaTypes.isUrlEncodedForm(request.getContentType())) {
            byte[] rebuilt = rebuilt(request.getParameterMap());
            return Optional.of(new RequestBody(Body.of(rebuilt), rebuilt.length > 0));
        }
        if (declared > 0) {
            throw new ServletException("the body of a protected request is gone, because an earlier filter has read it:"
                    + " map SemelFilter before that filter");
        }
        return Optional.of(new RequestBody(Body.of(bytes), false));
    }

    /**
     * Reads to the end, or one byte more than allowed. A declared length is only taken as a hint: filters that decompress
     * a body leave the header as it was.
     */
    private static byte[] readUpTo(int max, long declared, InputStream in) throws IOException {
        if (declared <= 0) {
            return in.readNBytes(max + 1);
        }
        byte[] bytes = new byte[(int) declared];
        int length = in.readNBytes(bytes, 0, bytes.length);
        if (length < bytes.length) {
            return Arrays.copyOf(bytes, length);
        }
        int next = in.read();
        if (next < 0) {
            return bytes;
        }
        byte[] more = in.readNBytes(max - length);
        byte[] all = Arrays.copyOf(bytes, length + 1 + more.length);
        all[length] = (byte) next;
        System.arraycopy(more, 0, all, length + 1, more.length);
        return all;
    }

    private static byte[] rebuilt(Map<String, String[]> parameters) {
        List<String> pairs = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, values) -> {
            for (String value : values) {
                pairs.add(encoded(name) + "=" + encoded(value));
            }
        });
        return String.join("&", pairs).getBytes(StandardCharsets.US_ASCII);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
