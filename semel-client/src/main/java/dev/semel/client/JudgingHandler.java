package dev.semel.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Locale;
import java.util.Map;

/**
 * A body handler that passes only final answers to the caller's handler.
 *
 * <p>Most responses are judged by status and headers. For those whose body matters, such as JSON errors, the start of the body
 * is read first; if the response is final, the caller's handler still gets every byte.
 */
final class JudgingHandler<T> implements BodyHandler<Judged<T>> {

    private final RetryRule rule;
    private final BodyHandler<T> handler;

    JudgingHandler(RetryRule rule, BodyHandler<T> handler) {
        this.rule = rule;
        this.handler = handler;
    }

    @Override
    public BodySubscriber<Judged<T>> apply(HttpResponse.ResponseInfo info) {
        Reply head = new Reply(info.statusCode(), info.headers(), Map.of());
        if (bodyMatters(head)) {
            return new PeekingSubscriber<>(
                    beginning -> judge(new Reply(info.statusCode(), info.headers(), JsonFields.of(beginning)), info));
        }
        return judge(head, info);
    }

    private BodySubscriber<Judged<T>> judge(Reply reply, HttpResponse.ResponseInfo info) {
        if (rule.retries(reply)) {
            return BodySubscribers.replacing(new Judged.NotYet<>(reply));
        }
        return BodySubscribers.mapping(handler.apply(info), body -> new Judged.Final<>(body, reply));
    }

    private static boolean bodyMatters(Reply head) {
        return (head.status() == 202 || head.status() >= 400) && !head.replayed() && isJson(head.headers());
    }

    private static boolean isJson(HttpHeaders headers) {
        String type = headers.firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        int parameters = type.indexOf(';');
        String essence = (parameters < 0 ? type : type.substring(0, parameters)).trim();
        return essence.equals("application/json") || essence.endsWith("+json");
    }
}
