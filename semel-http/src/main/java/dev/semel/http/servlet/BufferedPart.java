package dev.semel.http.servlet;

import dev.semel.http.FormPart;
import dev.semel.http.Headers;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A part of a multipart form, in memory. */
final class BufferedPart implements Part {

    private final FormPart part;
    private final File directory;

    /** @param directory what relative names in {@link #write} are relative to */
    BufferedPart(FormPart part, File directory) {
        this.part = part;
        this.directory = directory;
    }

    @Override
    public InputStream getInputStream() {
        return new ByteArrayInputStream(part.content().bytes());
    }

    @Override
    public @Nullable String getContentType() {
        return part.contentType();
    }

    @Override
    public String getName() {
        return part.name();
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return part.fileName();
    }

    @Override
    public long getSize() {
        return part.content().size();
    }

    @Override
    public void write(String fileName) throws IOException {
        Path path = Path.of(fileName);
        Files.write(
                path.isAbsolute() ? path : directory.toPath().resolve(path),
                part.content().bytes());
    }

    /** Does nothing: there is no file. */
    @Override
    public void delete() {}

    @Override
    public @Nullable String getHeader(String name) {
        return part.headers().first(name).orElse(null);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return part.headers().all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return part.headers().lines().stream()
                .map(Headers.Line::name)
                .distinct()
                .toList();
    }
}
