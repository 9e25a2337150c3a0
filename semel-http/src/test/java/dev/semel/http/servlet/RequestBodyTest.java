package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The handler can read a body in every way of the servlet API, although the filter has read it before. */
class RequestBodyTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Test
    void as_a_stream_also_in_chunks() {
        byte[] bytes = new byte[10_000];
        new Random(7).nextBytes(bytes);
        try (TestServer server = TestServer.protecting((request, response) -> {
            byte[] read = request.getInputStream().readAllBytes();
            response.getOutputStream().write(read);
            assertThat(request.getInputStream().isFinished()).isTrue();
            assertThat(request.getInputStream().read()).isEqualTo(-1);
        })) {
            Wire.Request request = server.post("/p").key("k").body("application/octet-stream", bytes);
            assertThat(server.send(request).body()).isEqualTo(bytes);
            assertThat(server.send(request.chunked()).replayed()).isTrue();
        }
    }

    @Test
    void an_empty_body_is_empty() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.getWriter().print("[" + new String(request.getInputStream().readAllBytes()) + "]");
        })) {
            assertThat(server.send(server.post("/p").key("k")).text()).isEqualTo("[]");
            assertThat(server.send(server.post("/p").key("c").chunked()).text()).isEqualTo("[]");
        }
    }

    @Test
    void as_text_in_its_charset() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setCharacterEncoding("UTF-8");
            response.getWriter().print(request.getReader().readLine());
        })) {
            byte[] utf16 = "näive €".getBytes(StandardCharsets.UTF_16BE);
            Wire.Request request = server.post("/p").key("k").body("text/plain; charset=UTF-16BE", utf16);

            assertThat(server.send(request).text()).isEqualTo("näive €");
        }
    }

    @Test
    void a_body_is_read_as_a_stream_or_as_text_not_both() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            request.getReader();
            try {
                request.getInputStream();
            } catch (IllegalStateException e) {
                response.getWriter().print("refused");
            }
        })) {
            assertThat(server.pay("k").text()).isEqualTo("refused");
        }
    }

    @Test
    void as_parameters_those_of_the_query_first() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setCharacterEncoding("UTF-8");
            var all = new TreeMap<String, String>();
            request.getParameterMap().forEach((name, values) -> all.put(name, Arrays.toString(values)));
            assertThat(Collections.list(request.getParameterNames())).containsExactlyInAnyOrderElementsOf(all.keySet());
            assertThat(request.getParameter("a")).isEqualTo("query");
            assertThat(request.getParameter("absent")).isNull();
            assertThat(request.getParameterValues("absent")).isNull();
            response.getWriter().print(all);
        })) {
            Wire.Request request = server.post("/p?a=query&q=1")
                    .key("k")
                    .body(FORM, "a=body&b=x+%26+y&c=%E2%82%AC&d=%zz&e".getBytes(StandardCharsets.US_ASCII));

            assertThat(server.send(request).text())
                    .isEqualTo("{a=[query, body], b=[x & y], c=[€], d=[%zz], e=[], q=[1]}");
            assertThat(server.send(request).replayed()).isTrue();
        }
    }

    @Test
    void as_parameters_that_a_filter_before_ours_has_already_read() {
        TestServer.Settings settings = TestServer.settings()
                .route("*", "*", policy -> policy)
                .outer((request, response, chain) -> {
                    request.getParameter("a");
                    chain.doFilter(request, response);
                });
        try (TestServer server =
                settings.start((request, response) -> response.getWriter().print(request.getParameter("a")))) {
            Wire.Request one = server.post("/p").key("k").body(FORM, "a=1&b=2".getBytes());
            Wire.Request two = server.post("/p").key("k").body(FORM, "a=9&b=2".getBytes());

            assertThat(server.send(one).text()).isEqualTo("1");
            assertThat(server.send(one).replayed()).isTrue();
            assertThat(server.send(two).status()).isEqualTo(422);
        }
    }

    @Test
    void a_body_that_an_earlier_filter_has_read_is_an_error_and_claims_nothing() {
        TestServer.Settings settings = TestServer.settings()
                .route("*", "*", policy -> policy)
                .outer((request, response, chain) -> {
                    request.getInputStream().readAllBytes();
                    chain.doFilter(request, response);
                });
        try (TestServer server = settings.start((request, response) -> {})) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.executions).hasValue(0);
            assertThat(server.status("k").status()).isEqualTo(404);
        }
    }

    private static byte[] multipart(String boundary, String amount, byte[] file) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"amount\"\r\n\r\n" + amount
                        + "\r\n--" + boundary
                        + "\r\nContent-Disposition: form-data; name=\"scan\"; filename=\"é 1.png\"\r\n"
                        + "Content-Type: image/png\r\nX-Extra: a\r\nX-Extra: b\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        body.write(file);
        body.write(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    @Test
    void as_a_multipart_form_whose_boundary_does_not_count(@TempDir Path directory) throws Exception {
        byte[] file = new byte[5000];
        new Random(3).nextBytes(file);
        try (TestServer server = TestServer.protecting((request, response) -> {
            Part scan = request.getPart("scan");
            assertThat(scan.getSubmittedFileName()).isEqualTo("é 1.png");
            assertThat(scan.getContentType()).isEqualTo("image/png");
            assertThat(scan.getSize()).isEqualTo(5000);
            assertThat(scan.getHeaders("x-extra")).containsExactly("a", "b");
            assertThat(scan.getHeader("absent")).isNull();
            assertThat(scan.getHeaderNames()).contains("Content-Disposition");
            Path written = directory.resolve("scan");
            scan.write(written.toString());
            assertThat(Files.readAllBytes(written)).isEqualTo(file);
            scan.delete();
            assertThat(request.getParts()).hasSize(2);
            assertThat(request.getPart("absent")).isNull();
            assertThat(request.getParameterMap()).containsOnlyKeys("amount");
            response.getOutputStream().write(scan.getInputStream().readAllBytes());
            response.setHeader("X-Amount", request.getParameter("amount"));
        })) {
            Wire.Reply first = server.send(server.post("/p")
                    .key("k")
                    .body("multipart/form-data; boundary=one", multipart("one", "100", file)));
            Wire.Reply retry = server.send(server.post("/p")
                    .key("k")
                    .body("multipart/form-data; boundary=\"two\"", multipart("two", "100", file)));
            Wire.Reply other = server.send(server.post("/p")
                    .key("k")
                    .body("multipart/form-data; boundary=one", multipart("one", "101", file)));

            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).isEqualTo(file);
            assertThat(first.all("X-Amount")).containsExactly("100");
            assertThat(retry.replayed()).isTrue();
            assertThat(other.status()).isEqualTo(422);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void multipart_bodies_without_any_part_are_distinguished_by_their_bytes() {
        try (TestServer server = TestServer.protecting((request, response) -> {})) {
            String type = "multipart/form-data; boundary=one";
            server.send(server.post("/p").key("k").body(type, "garbage".getBytes()));

            assertThat(server.send(server.post("/p").key("k").body(type, "garbage".getBytes()))
                            .replayed())
                    .isTrue();
            assertThat(server.send(server.post("/p").key("k").body(type, "other".getBytes()))
                            .status())
                    .isEqualTo(422);
        }
    }

    @Test
    void without_blocking() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            var async = request.startAsync();
            ServletInputStream in = request.getInputStream();
            StringBuilder calls = new StringBuilder();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws java.io.IOException {
                    byte[] buffer = new byte[4];
                    while (in.isReady() && !in.isFinished()) {
                        calls.append(new String(buffer, 0, in.read(buffer), StandardCharsets.UTF_8));
                    }
                }

                @Override
                public void onAllDataRead() throws java.io.IOException {
                    response.getWriter().print(calls + " and no more");
                    async.complete();
                }

                @Override
                public void onError(Throwable failure) {
                    throw new AssertionError(failure);
                }
            });
            calls.append("after return: ");
        })) {
            assertThat(server.pay("k").text()).isEqualTo("after return: {\"amount\":100} and no more");
            assertThat(server.pay("k").replayed()).isTrue();
        }
    }
}
