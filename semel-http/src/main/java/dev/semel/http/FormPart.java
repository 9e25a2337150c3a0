package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * One part of a {@code multipart/form-data} body.
 *
 * @param fileName as the client named it; {@code null} for a plain field
 */
public record FormPart(
        String name, @Nullable String fileName, @Nullable String contentType, Headers headers, Body content) {}
