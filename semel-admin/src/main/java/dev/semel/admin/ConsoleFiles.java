package dev.semel.admin;

import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;

/** The pages of the console: files of this jar, and no other. */
final class ConsoleFiles {

    private static final String FOLDER = "console/";

    /** Names of our own files: no dots at the start, no percent, no backslash, nothing that leads out of the folder. */
    private static final Pattern PATH =
            Pattern.compile("(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_.-]*", Pattern.CASE_INSENSITIVE);

    /** Longer than any of our own; the pattern would overflow the stack on a very long one. */
    private static final int LONGEST = 100;

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "json", "application/json",
            "txt", "text/plain; charset=utf-8",
            "png", "image/png",
            "woff2", "font/woff2");

    AdminResponse answer(AdminRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw new AdminProblem(405, "wrong_method", "The method is wrong", "Use GET.");
        }
        String path = request.path();
        if (path.isEmpty() || path.equals("/") || path.equals("/console")) {
            return AdminResponse.of(302, "text/plain; charset=utf-8", new byte[0])
                    .with("Location", "/semel/console/");
        }
        if (!path.startsWith("/console/")) {
            throw notFound();
        }
        String name = path.equals("/console/") ? "index.html" : path.substring("/console/".length());
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || name.length() > LONGEST || !PATH.matcher(name).matches() || name.contains("..")) {
            throw notFound();
        }
        // Checked again after an upgrade, and not fetched again until then.
        return AdminResponse.of(200, type, read(name)).with("Cache-Control", "no-cache");
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw notFound();
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AdminProblem notFound() {
        return new AdminProblem(404, "not_found", "There is nothing here", "The console is at /semel/console/.");
    }
}
