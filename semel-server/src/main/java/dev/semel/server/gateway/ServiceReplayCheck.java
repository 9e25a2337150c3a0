package dev.semel.server.gateway;

import dev.semel.Intent.Recorded;
import dev.semel.Intent.Replay;
import dev.semel.Intent.ReplayCheck;
import dev.semel.admin.json.Json;
import dev.semel.http.RequestView;
import dev.semel.server.gateway.config.ReplayCheckConfig;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A check that asks a service over HTTP, without blocking: {@code POST} of what is asked about, as JSON, with the named headers of
 * the client's request. Neither key nor recorded answer are sent.
 *
 * <ul>
 *   <li>200 and 204 allow.
 *   <li>401, 403 and 404 refuse.
 *   <li>Everything else is no answer, and the replay is refused for now. No redirect is followed.
 * </ul>
 */
final class ServiceReplayCheck implements ReplayCheck {

    private static final Set<Integer> ALLOWED = Set.of(200, 204);
    private static final Set<Integer> REFUSED = Set.of(401, 403, 404);

    private final ReplayCheckConfig.Service config;
    private final HttpClient client;

    ServiceReplayCheck(ReplayCheckConfig.Service config) {
        this.config = config;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.timeout())
                .build();
    }

    @Override
    public CompletionStage<Boolean> mayReplay(Replay replay) {
        RequestView view = replay.request(RequestView.class)
                .orElseThrow(() -> new IllegalStateException("this is no request of the gateway"));
        HttpRequest.Builder request = HttpRequest.newBuilder(config.url())
                .timeout(config.timeout())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(question(replay, view)));
        for (String name : config.headers()) {
            view.header(name).forEach(value -> request.header(name, value));
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(answer -> {
                    int status = answer.statusCode();
                    if (!ALLOWED.contains(status) && !REFUSED.contains(status)) {
                        throw new IllegalStateException(config.url() + " answered with status " + status
                                + "; 200 and 204 allow, and 401, 403 and 404 refuse");
                    }
                    return ALLOWED.contains(status);
                });
    }

    private static String question(Replay replay, RequestView view) {
        Json question = Json.object()
                .with("operation", replay.operation())
                .with("scope", replay.identity().scope().value())
                .with("principal", replay.principal())
                .with("method", view.method())
                .with("path", view.path());
        Recorded recorded = replay.recorded();
        return (recorded == null
                        ? question
                        : question.with(
                                "recorded",
                                Json.object()
                                        .with("fence", recorded.fence())
                                        .with("ageSeconds", recorded.age().toSeconds())))
                .toString();
    }
}
