package dev.semel.server.gateway;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Streams of requests in HTTP/1.1 from a seed: valid ones, such with folds and extensions, and such with wrong bytes. */
final class RequestStreams {

    private static final List<String> EXTENSIONS = List.of(";", ";a", ";a=b", " ;a=b", ";a=\"b;c\"", "\t; a = \"x\"");
    private static final String NOISE = "\r\n \t;:,0aF/\u0000\u000b\u00a0";

    private final Random random;

    RequestStreams(long seed) {
        random = new Random(seed);
    }

    /** @param offences how many of a hundred lines have a fold or an extension */
    byte[] next(int offences) {
        StringBuilder stream = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            request(stream, offences);
        }
        return stream.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Changes, removes, doubles or inserts some bytes. */
    byte[] mutate(byte[] stream) {
        StringBuilder text = new StringBuilder(new String(stream, StandardCharsets.ISO_8859_1));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int at = random.nextInt(text.length());
            char noise = NOISE.charAt(random.nextInt(NOISE.length()));
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, noise);
                case 1 -> text.insert(at, noise);
                case 2 -> text.insert(at, text.charAt(at));
                default -> text.deleteCharAt(at);
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void request(StringBuilder stream, int offences) {
        stream.append("\r\n".repeat(random.nextInt(8) == 0 ? 1 + random.nextInt(2) : 0));
        int kind = random.nextInt(4);
        stream.append(kind == 0 ? "GET" : "POST")
                .append(" /")
                .append(random.nextInt(100))
                .append(" HTTP/1.1\r\n");
        lines(stream, offences);
        if (kind == 1) {
            String body = body();
            stream.append("Content-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body);
        } else if (kind > 1) {
            stream.append("Transfer-Encoding: chunked\r\n\r\n");
            chunks(stream, offences);
        } else {
            stream.append("\r\n");
        }
    }

    private void chunks(StringBuilder stream, int offences) {
        for (int i = random.nextInt(4); i > 0; i--) {
            String body = body() + "x";
            stream.append("0".repeat(random.nextInt(3))).append(Integer.toHexString(body.length()));
            extension(stream, offences);
            stream.append("\r\n").append(body).append("\r\n");
        }
        stream.append("0".repeat(1 + random.nextInt(2)));
        extension(stream, offences);
        stream.append("\r\n");
        if (random.nextInt(3) == 0) {
            lines(stream, offences);
        }
        stream.append("\r\n");
    }

    private void extension(StringBuilder stream, int offences) {
        if (random.nextInt(100) < offences) {
            stream.append(EXTENSIONS.get(random.nextInt(EXTENSIONS.size())));
        }
    }

    private void lines(StringBuilder stream, int offences) {
        for (int i = random.nextInt(4); i > 0; i--) {
            stream.append("X-").append(random.nextInt(10)).append(":").append(random.nextBoolean() ? " a;b" : "");
            stream.append("\r\n");
            if (random.nextInt(100) < offences) {
                stream.append(random.nextBoolean() ? " " : "\t").append(random.nextBoolean() ? "c" : "d: e");
                stream.append("\r\n");
            }
        }
    }

    /** Anything, also what looks like a fold, an extension or a request. */
    private String body() {
        StringBuilder body = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            body.append(NOISE.charAt(random.nextInt(NOISE.length())));
        }
        return random.nextInt(4) == 0 ? body + "\r\n\r\nGET / HTTP/1.1\r\nX: y\r\n z\r\n\r\n" : body.toString();
    }
}
