package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a response until it is sent: held, settled, and then sent, or replaced. */
interface ResponseContract extends OnServer {

    @ParameterizedTest
    @ValueSource(strings = {"/payments", "/nothing"})
    default void a_response_that_the_store_does_not_confirm_is_not_sent(String path) {
        try (TestServer server = open()) {
            for (int tries = 0; tries < 3; tries++) {
                server.store.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.REFUSED);
            }
            assertProblem(server.pay(path, "k"), 409, "idempotency_outcome_unknown");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_streaming_output_is_recorded_whole() {
        try (TestServer server = open()) {
            server.resource.work = body -> Response.ok((StreamingOutput) out -> {
                        for (int i = 0; i < 1000; i++) {
                            out.write(("row " + i + "\n").getBytes());
                            out.flush();
                        }
                    })
                    .type("text/csv")
                    .build();
            Wire.Reply first = server.pay("k");

            assertThat(first.text()).startsWith("row 0\n").endsWith("row 999\n");
            Wire.Reply second = server.pay("k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_response_that_is_too_large_is_sent_but_not_retained() {
        try (TestServer server = open(Operation.named("pay"), policy -> policy.maxRecordedResponse(1000))) {
            server.resource.work = body -> Response.ok((StreamingOutput) out -> {
                        for (int i = 0; i < 100; i++) {
                            out.write(new byte[1000]);
                        }
                    })
                    .build();
            assertThat(server.pay("k").body()).hasSize(100_000);
            assertProblem(server.pay("k"), 409, "idempotency_response_not_retained");
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {50_000, 1_000_000})
    default void the_record_is_durable_before_the_first_byte_leaves(int limit) throws Exception {
        AtomicInteger arrived = new AtomicInteger(-1);
        CompletableFuture<Socket> client = new CompletableFuture<>();
        try (TestServer server = open(Operation.named("pay"), policy -> policy.maxRecordedResponse(limit))) {
            server.watched.beforeSettle = () -> arrived.set(available(client.join()));
            server.resource.work = body -> Response.ok((StreamingOutput) out -> {
                        for (int i = 0; i < 10; i++) {
                            out.write(new byte[10_000]);
                            out.flush();
                        }
                    })
                    .build();
            try (Socket socket = server.post("/payments").key("k").json("{}").open(server.port())) {
                client.complete(socket);
                assertThat(Wire.Reply.read(socket.getInputStream()).body()).hasSize(100_000);
            }
            assertThat(arrived).hasValue(0);
            assertThat(server.state("k")).isEqualTo(State.COMPLETED);
        }
    }

    private static int available(Socket socket) {
        try {
            return socket.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compresses every entity. */
    class Compression implements WriterInterceptor {
        @Override
        public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
            context.getHeaders().putSingle("Content-Encoding", "gzip");
            context.setOutputStream(new GZIPOutputStream(context.getOutputStream()));
            context.proceed();
        }
    }

    @Test
    default void compression_is_part_of_the_record_and_not_done_twice() {
        try (TestServer server = open(Operation.named("pay"), policy -> policy, new Compression())) {
            Wire.Reply first = server.pay("k");

            assertThat(first.all("Content-Encoding")).containsExactly("gzip");
            assertThat(OnServer.gunzipped(first.body())).isEqualTo("done");
            Wire.Reply second = server.pay("k");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.pay("bad key").text()).contains("idempotency_key_invalid");
        }
    }

    @Test
    default void headers_of_response_filters_are_recorded_and_those_of_a_replay_do_not_spoil_it() {
        AtomicInteger number = new AtomicInteger();
        ContainerResponseFilter numbers = new ContainerResponseFilter() {
            @Override
            public void filter(ContainerRequestContext request, ContainerResponseContext response) {
                if (number.incrementAndGet() > 1) {
                    response.getHeaders().putSingle("Content-Encoding", "br");
                }
                response.getHeaders().putSingle("X-Number", number.get());
            }
        };
        try (TestServer server = open(Operation.named("pay"), policy -> policy, numbers)) {
            Wire.Reply first = server.pay("k");

            assertThat(first.all("X-Number")).containsExactly("1");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }
}
