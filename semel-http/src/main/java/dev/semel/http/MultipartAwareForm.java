package dev.semel.http;

import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.Content;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body in which {@code multipart/form-data} counts by its parts: name, file name, media type and bytes of
 * each, in their order. The boundary is random and another on every retry. Other bodies are left to another form.
 */
final class MultipartAwareForm implements BodyForm {

    private static final int UNREADABLE = 0;
    private static final int PARTS = 1;

    private final BodyForm others;

    MultipartAwareForm(BodyForm others) {
        this.others = others;
    }

    @Override
    public Content of(@Nullable String mediaType, byte[] body) {
        if (!MediaTypes.isMultipartForm(mediaType)) {
            return others.of(mediaType, body);
        }
        Optional<List<FormPart>> parts = MultipartForm.parse(String.valueOf(mediaType), body);
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 64);
        if (parts.isEmpty() || parts.get().isEmpty()) {
            out.write(UNREADABLE);
            out.writeBytes(body);
            return Content.raw(out.toByteArray());
        }
        out.write(PARTS);
        for (FormPart part : parts.get()) {
            frame(out, part.name());
            frame(out, part.fileName());
            frame(out, part.contentType());
            frame(out, part.content().bytes());
        }
        return Content.raw(out.toByteArray());
    }

    private static void frame(ByteArrayOutputStream out, @Nullable String text) {
        out.write(text == null ? 0 : 1);
        frame(out, text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8));
    }

    private static void frame(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        out.writeBytes(bytes);
    }
}
