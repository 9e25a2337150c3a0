package dev.semel.spring.container;

import dev.semel.http.Problem;
import org.springframework.http.HttpStatus;

/** A container's error as an RFC 9457 problem, with its status only. */
final class ContainerProblem {

    static final String MEDIA_TYPE = Problem.MEDIA_TYPE;

    private ContainerProblem() {}

    static String json(int status) {
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        return "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}";
    }
}
