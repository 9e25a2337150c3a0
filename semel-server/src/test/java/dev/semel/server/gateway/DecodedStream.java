package dev.semel.server.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a decoder of HTTP/1.1 makes of a stream of bytes that arrives in parts. */
final class DecodedStream {

    /** The place of a request that is whole, as numbers of bytes from the beginning of the stream. */
    record Place(int start, int headEnd, int end) {}

    /** The requests that are whole, each with its headers, body and trailers. */
    final List<String> requests = new ArrayList<>();

    final List<Place> places = new ArrayList<>();

    /** Whether the decoder refused what follows the whole requests. */
    boolean refused;

    /** How much came out of the decoder after it had refused something. */
    int afterRefusal;

    private final EmbeddedChannel channel;
    private StringBuilder current = new StringBuilder();
    private int read;
    private int start;
    private int headEnd;

    private DecodedStream(ChannelHandler decoder) {
        channel = new EmbeddedChannel(decoder);
    }

    /** @param ends where each part ends */
    static DecodedStream of(ChannelHandler decoder, byte[] stream, int... ends) {
        DecodedStream decoded = new DecodedStream(decoder);
        for (int end : ends) {
            decoded.read(stream, end);
        }
        decoded.read(stream, stream.length);
        decoded.channel.finishAndReleaseAll();
        return decoded;
    }

    /** Has each byte arrive alone, so that the places are exact. */
    static DecodedStream byteByByte(ChannelHandler decoder, byte[] stream) {
        int[] ends = new int[stream.length];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = i + 1;
        }
        return of(decoder, stream, ends);
    }

    private void read(byte[] stream, int end) {
        if (end > read) {
            channel.writeInbound(Unpooled.copiedBuffer(stream, read, end - read));
            read = end;
        }
        for (HttpObject out = channel.readInbound(); out != null; out = channel.readInbound()) {
            add(out);
            ReferenceCountUtil.release(out);
        }
    }

    private void add(HttpObject out) {
        if (refused) {
            afterRefusal++;
        } else if (out.decoderResult().isFailure()) {
            refused = true;
        } else if (out instanceof HttpRequest request) {
            headEnd = read;
            current = new StringBuilder(request.method() + " " + request.uri() + " "
                    + request.headers().entries() + " ");
        }
        if (!refused && out instanceof HttpContent content) {
            current.append(content.content().toString(StandardCharsets.ISO_8859_1));
            if (content instanceof LastHttpContent last) {
                requests.add(current + " " + last.trailingHeaders().entries());
                places.add(new Place(start, headEnd, read));
                start = read;
            }
        }
    }
}
