package dev.semel.examples.tomcat;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Every kind of handler in Spring MVC. Each answer has a part that a second execution would change. */
@RestController
class Handlers {

    /** An exception that a resolver answers with a status. */
    @ResponseStatus(HttpStatus.BAD_GATEWAY)
    static final class UpstreamException extends RuntimeException {
        UpstreamException(Throwable cause) {
            super("upstream", cause);
        }
    }

    /** An exception that this controller answers itself. */
    static final class AnsweredException extends RuntimeException {}

    /** An exception that is answered with a view. */
    static final class ViewedException extends RuntimeException {
        ViewedException(Throwable cause) {
            super("viewed", cause);
        }
    }

    record Order(int amount) {}

    private final AtomicInteger executions = new AtomicInteger();

    int executions() {
        return executions.get();
    }

    private String once() {
        executions.incrementAndGet();
        return "é€ " + UUID.randomUUID();
    }

    private byte[] onceAsBytes() {
        return once().getBytes(StandardCharsets.UTF_8);
    }

    @PostMapping("/text")
    String text() {
        return once();
    }

    @PostMapping("/bytes")
    ResponseEntity<byte[]> bytes() {
        return ResponseEntity.status(201)
                .header("ETag", "\"" + UUID.randomUUID() + "\"")
                .header("Vary", "Accept", "Accept-Language")
                .header("X-Twice", "1", "2")
                .header("Content-Language", "de")
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .body(onceAsBytes());
    }

    @PostMapping("/deferred")
    DeferredResult<String> deferred() {
        DeferredResult<String> result = new DeferredResult<>();
        CompletableFuture.runAsync(() -> result.setResult(once()));
        return result;
    }

    @PostMapping("/future")
    CompletableFuture<ResponseEntity<Map<String, String>>> future() {
        return CompletableFuture.supplyAsync(
                () -> ResponseEntity.accepted().header("X-Own", "1").body(Map.of("id", once())));
    }

    @PostMapping("/callable")
    Callable<String> callable() {
        return this::once;
    }

    @PostMapping("/streaming")
    StreamingResponseBody streaming() {
        return out -> {
            out.write(onceAsBytes());
            out.flush();
            out.write("end".getBytes(StandardCharsets.UTF_8));
        };
    }

    @PostMapping("/emitter")
    ResponseBodyEmitter emitter() {
        ResponseBodyEmitter emitter = new ResponseBodyEmitter();
        CompletableFuture.runAsync(() -> {
            try {
                emitter.send(once());
                emitter.send("end");
                emitter.complete();
            } catch (IOException e) {
                emitter.completeWithError(e);
            }
        });
        return emitter;
    }

    @PostMapping("/sse")
    SseEmitter sse() {
        SseEmitter emitter = new SseEmitter();
        CompletableFuture.runAsync(() -> {
            try {
                emitter.send(SseEmitter.event().name("paid").data(once()));
                emitter.complete();
            } catch (IOException e) {
                emitter.completeWithError(e);
            }
        });
        return emitter;
    }

    @PostMapping("/writer")
    void writer(HttpServletResponse response) throws IOException {
        response.setContentType("text/html; charset=UTF-16");
        response.getWriter().append(once()).flush();
        response.getWriter().append("end");
    }

    @PostMapping("/empty")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void empty() {
        once();
    }

    @PostMapping("/redirect")
    ResponseEntity<Void> redirect() {
        return ResponseEntity.status(303)
                .location(URI.create("/things/" + once().substring(3)))
                .build();
    }

    @PostMapping("/send-redirect")
    void sendRedirect(HttpServletResponse response) throws IOException {
        response.sendRedirect("/things/" + once().substring(3));
    }

    @PostMapping("/missing")
    String missing() {
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, once());
    }

    @PostMapping("/answered")
    String answered() {
        throw new AnsweredException();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String answer(AnsweredException failure) {
        return once();
    }

    @PostMapping("/deferred-failure")
    DeferredResult<String> deferredFailure() {
        DeferredResult<String> result = new DeferredResult<>();
        CompletableFuture.runAsync(() -> result.setErrorResult(new AnsweredException()));
        return result;
    }

    @PostMapping("/json")
    String json(@RequestBody Order order) {
        return order.amount() + once();
    }

    @PostMapping("/form")
    String form(@RequestParam String name, @RequestParam("q") String query) {
        return name + query + once();
    }

    @PutMapping("/form")
    String put(@RequestParam String name, @RequestParam("q") String query) {
        return name + query + once();
    }

    @PostMapping("/upload")
    String upload(@RequestParam MultipartFile file, @RequestParam String title) throws IOException {
        return file.getOriginalFilename() + title + new String(file.getBytes(), StandardCharsets.UTF_8) + once();
    }

    @PostMapping("/thrown/{how}/{what}")
    String thrown(@PathVariable String how, @PathVariable String what) {
        once();
        RuntimeException cause = what.equals("unknown")
                ? new OutcomeUnknownException("timed out after it was sent")
                : new NotExecutedException("never sent");
        throw switch (how) {
            case "status" -> new ResponseStatusException(HttpStatus.BAD_GATEWAY, "upstream", cause);
            case "annotation" -> new UpstreamException(cause);
            case "view" -> new ViewedException(cause);
            default -> cause;
        };
    }

    @ExceptionHandler
    ModelAndView view(ViewedException failure) {
        ModelAndView view = new ModelAndView(
                (model, request, response) -> response.getWriter().write("sorry"));
        view.setStatus(HttpStatus.BAD_GATEWAY);
        return view;
    }

    /** Its headers are those that CORS support, or any filter behind ours, sets on every response. */
    @PostMapping("/broken-connection")
    String brokenConnection(HttpServletResponse response) {
        once();
        response.addHeader("Vary", "Origin");
        throw new UncheckedIOException(new EOFException("the connection to the bank ended"));
    }

    @PostMapping("/slow")
    DeferredResult<String> slow() {
        once();
        return new DeferredResult<>(50L);
    }

    @PostMapping("/slow-answered")
    DeferredResult<String> slowAnswered() {
        return new DeferredResult<>(50L, this::once);
    }

    @PostMapping("/sized")
    byte[] sized(@RequestParam int size) {
        once();
        return new byte[size];
    }

    @PostMapping("/flushed-then-failed")
    void flushedThenFailed(HttpServletResponse response) throws IOException {
        response.setStatus(201);
        response.getWriter().append(once()).flush();
        response.flushBuffer();
        throw new IllegalStateException("after the first bytes");
    }

    @PostMapping("/session")
    String session(HttpSession session, HttpServletResponse response) {
        response.addCookie(new Cookie("own", "secret"));
        return session.getId() + once();
    }
}
