package dev.semel.server.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.util.List;

/**
 * The decoder of HTTP/1.1 that refuses what its superclass reads leniently: lines of a head or of trailers that begin with a space
 * or a tab, and chunk extensions.
 *
 * <ol>
 *   <li>Where a request, its body and its chunks begin and end is decided by the superclass alone. Before or after each of its
 *       steps this class looks at the bytes of that step.
 *   <li>All bytes of the steps up to the one that yields a request are its head.
 *   <li>The line of a chunk's size is looked at before the step that reads it: it consists of hexadecimal digits. The step must
 *       then yield no more than so many bytes.
 *   <li>All bytes of the steps between the chunk of size 0 and the one that yields the end are trailers.
 *   <li>A step that yields anything else is refused, too. Nothing after a refusal is read.
 * </ol>
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

    private static final byte CR = '\r';
    private static final byte LF = '\n';
    private static final int HEX = 16;

    /** The rest of the line of a chunk's size has not arrived. */
    private static final long INCOMPLETE = -1;

    /** The line of a chunk's size has an extension, or is no number. */
    private static final long MALFORMED = -2;

    private enum Part {
        HEAD,
        BODY_OF_KNOWN_LENGTH,
        CHUNK_SIZE,
        CHUNK,
        TRAILERS,
        REFUSED
    }

    /** The cause of what this class refuses, and its superclass would not. */
    static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why, null, false, false);
        }
    }

    private Part part = Part.HEAD;

    /** Whether the next byte of a head or of trailers is the first one of its line. */
    private boolean atLineStart = true;

    private boolean folded;

    /** What is left of the chunk; at 0 the end of its line follows. */
    private long chunkBytes;

    /** @param config the limits of heads and lines */
    StrictRequestDecoder(Http1ServerConfig config) {
        super(config);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        int from = in.readerIndex();
        int before = out.size();
        switch (part) {
            case HEAD -> {
                super.decode(context, in, out);
                lookForFolds(in, from);
                if (out.size() > before) {
                    headRead(in, out, before);
                }
            }
            case BODY_OF_KNOWN_LENGTH -> {
                super.decode(context, in, out);
                bodyRead(in, out, before);
            }
            case CHUNK_SIZE -> {
                long size = chunkSize(in);
                if (size == MALFORMED) {
                    refuseBody(in, out, before, "chunk extensions and malformed chunk sizes are refused");
                    return;
                }
                super.decode(context, in, out);
                if (size == INCOMPLETE) {
                    bodyRead(in, out, before);
                } else if (size == 0) {
                    part = Part.TRAILERS;
                    atLineStart = true;
                    bodyRead(in, out, before);
                } else {
                    part = Part.CHUNK;
                    chunkBytes = size;
                    chunkRead(in, in.indexOf(from, in.readerIndex(), LF) + 1, out, before);
                }
            }
            case CHUNK -> {
                super.decode(context, in, out);
                chunkRead(in, from, out, before);
            }
            case TRAILERS -> {
                super.decode(context, in, out);
                lookForFolds(in, from);
                if (folded) {
                    refuseBody(in, out, before, "folded trailers are refused");
                } else {
                    bodyRead(in, out, before);
                }
            }
            case REFUSED -> in.skipBytes(in.readableBytes());
        }
    }

    private void lookForFolds(ByteBuf in, int from) {
        int end = in.readerIndex();
        int line = from;
        while (line < end) {
            if (atLineStart && isSpace(in.getByte(line))) {
                folded = true;
            }
            int lf = in.indexOf(line, end, LF);
            atLineStart = lf >= 0;
            line = lf < 0 ? end : lf + 1;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    private void headRead(ByteBuf in, List<Object> out, int before) {
        HttpRequest request = (HttpRequest) out.get(before);
        boolean ended = out.size() > before + 1;
        if (request.decoderResult().isFailure()) {
            part = Part.REFUSED;
        } else if (folded) {
            refuseHead(in, out, before, "folded header lines are refused");
        } else if (ended) {
            nextRequest();
        } else if (!HttpUtil.isTransferEncodingChunked(request)) {
            part = Part.BODY_OF_KNOWN_LENGTH;
        } else if (chunkSize(in) == MALFORMED) {
            // It has arrived with the head: nothing of the request is forwarded.
            refuseHead(in, out, before, "chunk extensions and malformed chunk sizes are refused");
        } else {
            part = Part.CHUNK_SIZE;
        }
    }

    private void nextRequest() {
        part = Part.HEAD;
        atLineStart = true;
    }

    /** Follows a step that yields parts of a body whose bytes need not be counted, or its end, or nothing. */
    private void bodyRead(ByteBuf in, List<Object> out, int before) {
        for (int i = before; i < out.size(); i++) {
            if (!(out.get(i) instanceof HttpContent content)) {
                refuseBody(in, out, before, "a request began within the body of another one");
            } else if (content.decoderResult().isFailure()) {
                part = Part.REFUSED;
            } else if (content instanceof LastHttpContent) {
                nextRequest();
            }
        }
    }

    /** @param start of the bytes of the chunk in this step */
    private void chunkRead(ByteBuf in, int start, List<Object> out, int before) {
        int yielded = 0;
        for (int i = before; i < out.size(); i++) {
            if (out.get(i) instanceof HttpContent content
                    && content.decoderResult().isFailure()) {
                part = Part.REFUSED;
                return;
            }
            boolean isPart = out.get(i) instanceof HttpContent && !(out.get(i) instanceof LastHttpContent);
            if (!isPart) {
                refuseBody(in, out, before, "a chunk had another size than it said");
                return;
            }
            yielded += ((HttpContent) out.get(i)).content().readableBytes();
        }
        chunkBytes -= yielded;
        int endOfLine = in.readerIndex() - start - yielded;
        if (chunkBytes < 0 || (endOfLine != 0 && (chunkBytes > 0 || endOfLine != 2))) {
            refuseBody(in, out, before, "a chunk had another size than it said");
        } else if (endOfLine == 2) {
            part = Part.CHUNK_SIZE;
        }
    }

    private static long chunkSize(ByteBuf in) {
        long size = 0;
        int start = in.readerIndex();
        for (int i = start; i < in.writerIndex(); i++) {
            byte b = in.getByte(i);
            int digit = Character.digit(b & 0xFF, HEX);
            if (digit >= 0) {
                // The superclass refuses what is larger.
                size = Math.min(size * HEX + digit, Integer.MAX_VALUE);
            } else if (b != CR || i == start) {
                return MALFORMED;
            } else if (i + 1 == in.writerIndex()) {
                return INCOMPLETE;
            } else {
                return in.getByte(i + 1) == LF ? size : MALFORMED;
            }
        }
        return INCOMPLETE;
    }

    /** Has the request that this step yielded taken for one that could not be read. */
    private void refuseHead(ByteBuf in, List<Object> out, int before, String why) {
        HttpRequest request = (HttpRequest) out.get(before);
        dropFrom(before + 1, out);
        // The next handler would follow an Upgrade of a request that could not be read.
        request.headers().clear();
        request.setDecoderResult(failure(why));
        skipAll(in);
    }

    private void refuseBody(ByteBuf in, List<Object> out, int before, String why) {
        dropFrom(before, out);
        LastHttpContent end = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
        end.setDecoderResult(failure(why));
        out.add(end);
        skipAll(in);
    }

    private static DecoderResult failure(String why) {
        return DecoderResult.failure(new RefusedException(why));
    }

    private static void dropFrom(int first, List<Object> out) {
        while (out.size() > first) {
            ReferenceCountUtil.release(out.remove(out.size() - 1));
        }
    }

    private void skipAll(ByteBuf in) {
        part = Part.REFUSED;
        in.skipBytes(in.readableBytes());
    }
}
