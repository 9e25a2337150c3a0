package dev.semel.jaxrs;

import dev.semel.http.Answer;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The outermost writer interceptor: holds the body of a response until the record is settled, and writes it then. What inner
 * interceptors do, such as compression, is part of what is recorded, and is not done again to a replay.
 */
final class SettleInterceptor implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        Exchange exchange = Exchange.of(context).orElse(null);
        Answer answer = exchange == null ? null : exchange.answer();
        if (exchange != null && answer != null && !exchange.needsWriter()) {
            context.getOutputStream().write(answer.body().bytes());
        } else if (exchange != null && exchange.isOpen()) {
            hold(exchange, context);
        } else {
            context.proceed();
        }
    }

    private static void hold(Exchange exchange, WriterInterceptorContext context) throws IOException {
        OutputStream real = context.getOutputStream();
        HeldStream held = new HeldStream(exchange, real);
        context.setOutputStream(held);
        try {
            context.proceed();
            // A compressing stream of an inner interceptor writes its last bytes when it is closed.
            context.getOutputStream().close();
        } catch (IOException | RuntimeException | Error e) {
            if (!exchange.isOpen()) {
                throw e;
            }
            exchange.failed(e);
            if (exchange.answer() == null) {
                throw e;
            }
        } finally {
            context.setOutputStream(real);
        }
        held.release();
    }
}
