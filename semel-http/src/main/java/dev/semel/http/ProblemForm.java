package dev.semel.http;

import java.lang.System.Logger.Level;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How problems become answers: by the profile of the route and the application's renderer, with a link to the documentation.
 *
 * @param underBasePath whether the documentation is a path of the application, which its base path precedes
 * @param request null where there is none to render for, which gets the standard form
 */
record ProblemForm(
        URI documentation,
        boolean underBasePath,
        ProblemRenderer renderer,
        Profile profile,
        @Nullable RequestView request) {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    static ProblemForm standard(URI documentation) {
        return new ProblemForm(documentation, false, ProblemRenderer.STANDARD, Profile.STANDARD, null);
    }

    ProblemForm to(RequestView asked, Profile inProfile) {
        return new ProblemForm(documentation, underBasePath, renderer, inProfile, asked);
    }

    /** A refusal of the protocol, which links to the documentation. */
    Answer of(Problem problem) {
        String base = underBasePath && request != null ? request.basePath() : "";
        return ofHandler(problem).with("Link", "<" + base + documentation + ">; rel=\"describedby\"");
    }

    /** A failure of the handler, which is none of the documentation's. */
    Answer ofHandler(Problem problem) {
        return rendered(problem).replacing(profile.about(problem));
    }

    private Answer rendered(Problem problem) {
        ProblemRenderer chosen = profile.renderer(renderer);
        if (request == null || chosen == ProblemRenderer.STANDARD) {
            return problem.toAnswer();
        }
        try {
            ProblemRenderer.Rendered form = chosen.render(problem, request);
            Headers headers = Headers.of("Content-Type", form.mediaType()).with("Cache-Control", "no-store");
            for (Headers.Line line : form.headers()) {
                if (headers.first(line.name()).isEmpty() || !isOwn(line.name())) {
                    headers = headers.with(line.name(), line.value());
                }
            }
            return new Answer(problem.status(), headers, form.body());
        } catch (RuntimeException | Error e) {
            LOG.log(
                    Level.ERROR,
                    "the ProblemRenderer failed for " + problem.code().code() + "; the problem is sent as "
                            + Problem.MEDIA_TYPE + ". Correct the renderer",
                    e);
            return problem.toAnswer();
        }
    }

    private static boolean isOwn(String name) {
        return name.equalsIgnoreCase("Content-Type")
                || name.equalsIgnoreCase("Cache-Control")
                || name.equalsIgnoreCase("Content-Length");
    }
}
