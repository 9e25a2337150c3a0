package dev.semel.http;

import dev.semel.Refusal.Mismatch;
import dev.semel.Refusal.Mismatch.Difference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The members of a problem that say in what two requests with one key differ: names and pointers, never a value. */
final class MismatchErrors {

    private static final String HEADER = "header ";

    private MismatchErrors() {}

    /** The problem with what is known of the differences; unchanged where nothing is. */
    static Problem in(Problem problem, Mismatch mismatch) {
        if (mismatch.differences().isEmpty()) {
            return problem;
        }
        List<Map<String, Object>> errors =
                mismatch.differences().stream().map(MismatchErrors::error).toList();
        Problem explained = problem.with("errors", errors);
        return mismatch.more() ? explained.with("more_errors", true) : explained;
    }

    private static Map<String, Object> error(Difference difference) {
        Map<String, Object> error = new LinkedHashMap<>();
        if (difference.pointer() != null) {
            error.put("pointer", difference.pointer());
        } else if (difference.part().startsWith(HEADER)) {
            error.put("part", "header");
            error.put("name", difference.part().substring(HEADER.length()));
        } else {
            error.put("part", difference.part());
        }
        error.put("kind", difference.kind().name().toLowerCase(Locale.ROOT));
        return error;
    }
}
