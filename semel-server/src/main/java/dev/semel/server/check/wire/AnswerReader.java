package dev.semel.server.check.wire;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads HTTP/1.1 answers. An answer that ends too early is an {@link IOException}, never a shorter answer. */
final class AnswerReader {

    private static final int MAX_HEAD_BYTES = 64 * 1024;

    /** Up to 64 answers are held at once. */
    private static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

    private static final int MAX_LINE_CHARS = 8 * 1024;
    private static final int SHOWN_CHARS = 80;
    private static final int MAX_TRAILERS = 100;
    private static final int MAX_INTERIM_ANSWERS = 20;

    private final InputStream in;
    private final boolean hasBody;

    /** @param method of the request: the answer to HEAD has no body */
    AnswerReader(InputStream in, String method) {
        this.in = in;
        this.hasBody = !method.equals("HEAD");
    }

    Answer read() throws IOException {
        for (int interim = 0; interim <= MAX_INTERIM_ANSWERS; interim++) {
            String[] lines = readHead().split("\r?\n", -1);
            String[] parts = lines[0].split(" ", 3);
            if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || !parts[1].matches("[1-5][0-9]{2}")) {
                throw new IOException("this is no HTTP: " + shown(lines[0]));
            }
            int status = Integer.parseInt(parts[1]);
            List<Header> headers = new ArrayList<>();
            for (int i = 1; i < lines.length; i++) {
                headers.add(header(lines[i]));
            }
            if (status >= 200) {
                Answer bare = new Answer(status, headers, new byte[0], Duration.ZERO);
                return new Answer(status, headers, readBody(bare), Duration.ZERO);
            }
        }
        throw new IOException("more than " + MAX_INTERIM_ANSWERS + " interim answers, and no final one");
    }

    private static Header header(String line) throws IOException {
        try {
            return Header.parse(line);
        } catch (IllegalArgumentException e) {
            throw new IOException("the answer has a header line without a name: " + shown(line), e);
        }
    }

    private static String shown(String line) {
        return line.length() <= SHOWN_CHARS ? line : line.substring(0, SHOWN_CHARS) + "…";
    }

    private String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 2) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException(head.size() == 0 ? "connection closed" : "connection closed within the answer");
            }
            head.write(b);
            matched = b == '\n' ? matched + 1 : b == '\r' ? matched : 0;
            if (head.size() > MAX_HEAD_BYTES) {
                throw new IOException("the head of the answer is longer than " + MAX_HEAD_BYTES + " bytes");
            }
        }
        return head.toString(StandardCharsets.ISO_8859_1).strip();
    }

    private byte[] readBody(Answer head) throws IOException {
        if (!hasBody || head.status() == 204 || head.status() == 304) {
            return new byte[0];
        }
        if (head.first("Transfer-Encoding").orElse("").toLowerCase(Locale.ROOT).contains("chunked")) {
            return readChunks();
        }
        String length = head.first("Content-Length").orElse("");
        if (length.matches("[0-9]{1,9}")) {
            return readExactly(limited(Integer.parseInt(length)));
        }
        byte[] rest = in.readNBytes(MAX_BODY_BYTES + 1);
        limited(rest.length);
        return rest;
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = readLine().replaceFirst(";.*", "").strip();
            if (!size.matches("[0-9a-fA-F]{1,7}")) {
                throw new IOException("a chunk of the answer has no size");
            }
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                skipTrailers();
                return body.toByteArray();
            }
            limited(body.size() + length);
            body.writeBytes(readExactly(length));
            readLine();
        }
    }

    private void skipTrailers() throws IOException {
        int trailers = 0;
        while (!readLine().isEmpty()) {
            if (++trailers > MAX_TRAILERS) {
                throw new IOException("the answer has more than " + MAX_TRAILERS + " trailers");
            }
        }
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("connection closed within the answer");
            }
            line.append((char) b);
            if (line.length() > MAX_LINE_CHARS) {
                throw new IOException("the answer has a line of more than " + MAX_LINE_CHARS + " characters");
            }
        }
        return line.toString().strip();
    }

    private byte[] readExactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("connection closed within the answer");
        }
        return bytes;
    }

    private static int limited(int length) throws IOException {
        if (length > MAX_BODY_BYTES) {
            throw new IOException("the answer is longer than " + MAX_BODY_BYTES + " bytes");
        }
        return length;
    }
}
