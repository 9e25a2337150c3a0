package dev.semel.http.servlet;

import dev.semel.http.Ending;
import dev.semel.http.Run;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has left behind when it returned.
 *
 * @param failure that its framework has answered with this response
 */
record Produced(CapturedResponse response, @Nullable Throwable failure) {

    CompletionStage<Ending> tell(Run run) {
        int status = response.getStatus();
        CapturedResponse.SentError error = response.error();
        if (failure == null) {
            return error == null
                    ? run.responded(status, response.headers(), response.body())
                    : run.respondedWithError(error.status(), error.message(), response.headers());
        }
        return error == null
                ? run.respondedToFailure(failure, status, response.headers(), response.body())
                : run.respondedToFailureWithError(failure, error.status(), error.message(), response.headers());
    }

    /** The failure that nobody has answered, although its framework believes so; nothing otherwise. */
    @Nullable
    Throwable unanswered() {
        return failure != null
                        && response.error() == null
                        && Run.isNoAnswer(failure, response.getStatus(), response.headers(), response.body())
                ? failure
                : null;
    }
}
