package dev.semel.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts joined with their lengths, so that no two lists of texts give the same bytes. */
final class Framed {

    private Framed() {}

    static byte[] bytes(String... texts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String text : texts) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
            out.writeBytes(utf8);
        }
        return out.toByteArray();
    }
}
