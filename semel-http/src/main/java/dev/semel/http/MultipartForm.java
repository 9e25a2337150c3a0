package dev.semel.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.fileupload.MultipartStream;
import org.jspecify.annotations.Nullable;

/** A reader of {@code multipart/form-data} bodies that are in memory. */
public final class MultipartForm {

    /** Names of headers and files are short; a part's headers longer than this are an attack. */
    private static final int MOST_HEADER_BYTES = 8 << 10;

    /** Longer than any boundary, which has at most 70 characters. */
    private static final int BUFFER_BYTES = 4 << 10;

    /** Every part costs objects; forms made for people have far fewer. */
    private static final int MOST_PARTS = 1000;

    private MultipartForm() {}

    /** The parts in their order; nothing when the body is not a well-formed form. */
    public static Optional<List<FormPart>> parse(String contentType, byte[] body) {
        String boundary = MediaTypes.parameter(contentType, "boundary");
        if (boundary == null || boundary.isEmpty()) {
            return Optional.empty();
        }
        try {
            return read(boundary.getBytes(StandardCharsets.ISO_8859_1), body);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<List<FormPart>> read(byte[] boundary, byte[] body) throws IOException {
        MultipartStream input = new MultipartStream(new ByteArrayInputStream(body), boundary, BUFFER_BYTES, null);
        input.setPartHeaderSizeMax(MOST_HEADER_BYTES);
        input.setHeaderEncoding(StandardCharsets.UTF_8.name());
        List<FormPart> parts = new ArrayList<>();
        boolean more = input.skipPreamble();
        while (more) {
            Headers headers = headers(input.readHeaders());
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            input.readBodyData(content);
            String disposition = headers.first("Content-Disposition").orElse("");
            String name = MediaTypes.parameter(disposition, "name");
            if (name == null || parts.size() == MOST_PARTS) {
                return Optional.empty();
            }
            parts.add(new FormPart(
                    name,
                    fileName(disposition),
                    headers.first("Content-Type").orElse(null),
                    headers,
                    Body.of(content.toByteArray())));
            more = input.readBoundary();
        }
        return Optional.of(parts);
    }

    private static @Nullable String fileName(String disposition) {
        return MediaTypes.parameter(disposition, "filename");
    }

    /** Header lines; one that begins with white space continues the line before it. */
    private static Headers headers(String block) {
        List<Headers.Line> lines = new ArrayList<>();
        for (String text : block.replaceAll("\r\n[ \t]+", " ").split("\r\n", -1)) {
            int colon = text.indexOf(':');
            if (colon > 0) {
                lines.add(new Headers.Line(
                        text.substring(0, colon).strip(),
                        text.substring(colon + 1).strip()));
            }
        }
        return new Headers(lines);
    }
}
