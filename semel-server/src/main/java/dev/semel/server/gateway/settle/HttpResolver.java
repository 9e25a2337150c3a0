package dev.semel.server.gateway.settle;

import dev.semel.Codec;
import dev.semel.reconcile.OutcomeResolver;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import dev.semel.server.gateway.config.DotSegments;
import dev.semel.server.gateway.config.LookupTemplate.Place;
import dev.semel.server.gateway.config.ResolverConfig;
import dev.semel.server.gateway.config.RouteConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A resolver that asks over HTTP, once, and lets rules say what the answer means.
 *
 * <p>It follows no redirect, waits for a limited time, and reads a limited number of bytes. Whatever it cannot read for
 * certain says nothing about the outcome.
 */
public final class HttpResolver implements OutcomeResolver {

    /** The step in which the field of a request is recorded that {@code {reference}} stands for. */
    public static final String REFERENCE_STEP = "reference";

    private final ResolverConfig config;
    private final HttpClient client;

    public HttpResolver(ResolverConfig config) {
        this.config = config;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.timeout())
                .build();
    }

    @Override
    public Verdict resolve(UnknownOutcome unknown) throws IOException, InterruptedException {
        Map<Place, String> values = valuesOf(unknown);
        if (!values.keySet().containsAll(config.places())) {
            return new Verdict.CannotTellYet("the request had no reference to look it up by");
        }
        URI url = URI.create(config.url().filledEncoded(place -> values.getOrDefault(place, "")));
        if (DotSegments.in(url)) {
            return new Verdict.CannotTellYet(
                    "a value makes a segment '.' or '..' of the look-up's URL, with which a service"
                            + " might look up something else");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        config.headers()
                .forEach((name, value) -> headers.put(name, value.filled(place -> values.getOrDefault(place, ""))));
        if (!headers.values().stream().allMatch(HttpResolver::isAscii)) {
            return new Verdict.CannotTellYet(
                    "a value of a header of the look-up is not ASCII, and might arrive as another");
        }
        HttpResponse<LimitedBody.Read> answer = ask(request(url, headers));
        return new LookupAnswer(config, answer).verdict();
    }

    private Map<Place, String> valuesOf(UnknownOutcome unknown) {
        Map<Place, String> values = new EnumMap<>(Place.class);
        values.put(Place.KEY, unknown.identity().key().value());
        values.put(Place.SCOPE, unknown.identity().scope().value());
        values.put(Place.DOWNSTREAM_KEY, unknown.downstreamKey(RouteConfig.DOWNSTREAM_PURPOSE));
        unknown.recordedStep(REFERENCE_STEP, Codec.text())
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> values.put(Place.REFERENCE, text));
        return values;
    }

    private static boolean isAscii(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c < 0x7F);
    }

    private HttpRequest request(URI url, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).method(config.method(), HttpRequest.BodyPublishers.noBody());
        headers.forEach(request::header);
        return request.build();
    }

    /** The client's own timeout ends with the head of an answer, so that this one is for all of it. */
    private HttpResponse<LimitedBody.Read> ask(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<LimitedBody.Read>> asked =
                client.sendAsync(request, head -> new LimitedBody(config.maxBytes()));
        try {
            return asked.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no whole answer within " + config.timeout(), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the look-up failed: " + cause.getClass().getSimpleName(), cause);
        } finally {
            asked.cancel(true);
        }
    }
}
