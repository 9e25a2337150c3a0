package dev.semel.http.servlet;

import dev.semel.http.FormPart;
import dev.semel.http.MediaTypes;
import dev.semel.http.MultipartForm;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.File;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters and parts of a request whose body is in memory: those of the query come first, as the servlet
 * specification says.
 */
final class FormData {

    private final HttpServletRequest request;
    private final RequestBody body;
    private @Nullable Map<String, String[]> parameters;
    private @Nullable List<BufferedPart> parts;

    FormData(HttpServletRequest request, RequestBody body) {
        this.request = request;
        this.body = body;
    }

    Map<String, String[]> parameters() {
        if (parameters == null) {
            parameters = read();
        }
        return parameters;
    }

    /** @throws ServletException when the request is not a well-formed multipart form */
    List<BufferedPart> parts() throws ServletException {
        if (parts == null) {
            String type = request.getContentType();
            if (!MediaTypes.isMultipartForm(type)) {
                throw new ServletException("the request is no multipart/form-data, its content type is " + type);
            }
            File directory =
                    request.getServletContext().getAttribute("jakarta.servlet.context.tempdir") instanceof File f
                            ? f
                            : new File(".");
            parts =
                    readParts()
                            .orElseThrow(() -> new ServletException("the multipart/form-data body is malformed"))
                            .stream()
                            .map(part -> new BufferedPart(part, directory))
                            .toList();
        }
        return parts;
    }

    private Map<String, String[]> read() {
        if (body.parsedBefore()) {
            return request.getParameterMap();
        }
        Map<String, List<String>> all = new LinkedHashMap<>();
        queryParameters(all);
        String type = request.getContentType();
        if (MediaTypes.isUrlEncodedForm(type)) {
            String text = new String(body.content().bytes(), StandardCharsets.ISO_8859_1);
            UrlEncodedPairs.parse(text, charset(request.getCharacterEncoding()), all);
        } else if (MediaTypes.isMultipartForm(type)) {
            for (FormPart part : readParts().orElse(List.of())) {
                if (part.fileName() == null) {
                    String value = new String(part.content().bytes(), charset(request.getCharacterEncoding()));
                    all.computeIfAbsent(part.name(), name -> new ArrayList<>()).add(value);
                }
            }
        }
        Map<String, String[]> arrays = new LinkedHashMap<>();
        all.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
        return arrays;
    }

    /** The container's own reading, which sees the query alone; a query that it refuses is read as far as it goes. */
    private void queryParameters(Map<String, List<String>> all) {
        try {
            request.getParameterMap().forEach((name, values) -> all.put(name, new ArrayList<>(List.of(values))));
        } catch (RuntimeException malformed) {
            all.clear();
            String query = request.getQueryString();
            UrlEncodedPairs.parse(query == null ? "" : query, StandardCharsets.UTF_8, all);
        }
    }

    private Optional<List<FormPart>> readParts() {
        return MultipartForm.parse(request.getContentType(), body.content().bytes());
    }

    private static Charset charset(@Nullable String name) {
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
