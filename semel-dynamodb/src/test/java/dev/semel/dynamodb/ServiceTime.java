package dev.semel.dynamodb;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Below the store: gives the service another clock, and counts what is sent to it. */
final class ServiceTime implements ExecutionInterceptor {

    private volatile Supplier<Instant> clock = () -> Instant.EPOCH;
    private final AtomicLong sent = new AtomicLong();

    void follow(Supplier<Instant> other) {
        clock = other;
    }

    long sent() {
        return sent.get();
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        sent.incrementAndGet();
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.get().atOffset(ZoneOffset.UTC));
        return SdkHttpFullResponse.builder()
                .statusCode(context.httpResponse().statusCode())
                .statusText(context.httpResponse().statusText().orElse(""))
                .headers(context.httpResponse().headers())
                .putHeader("Date", date)
                .build();
    }
}
