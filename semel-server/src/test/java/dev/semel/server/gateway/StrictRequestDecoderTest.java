package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.gateway.DecodedStream.Place;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The strict decoder of HTTP/1.1")
class StrictRequestDecoderTest {

    private static final String CHUNKED = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String BEFORE = "POST /b HTTP/1.1\r\nContent-Length: 4\r\n\r\na\n b";
    private static final String AFTER = "GET /a HTTP/1.1\r\n\r\n";
    private static final int STREAMS = 1500;

    private static StrictRequestDecoder strict() {
        return new StrictRequestDecoder(new Http1ServerConfig());
    }

    private static VertxHttpRequestDecoder lenient() {
        return new VertxHttpRequestDecoder(new Http1ServerConfig());
    }

    private static byte[] bytes(String stream) {
        return stream.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nX:\r\nY: a;b\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na\r\n b\r\n;c",
                "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n\r\n",
                CHUNKED + "0\r\n\r\n",
                CHUNKED + "000\r\nX: a;b\r\nY:\t c\r\n\r\n",
                CHUNKED + "5\r\n1;a\r\n\r\n00A\r\n\r\n \r\n\t0;\r\n\r\n0\r\n\r\n",
                "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            })
    void reads_what_is_well_formed_in_whatever_parts_it_arrives(String request) {
        byte[] stream = bytes(BEFORE + request + AFTER);
        DecodedStream expected = DecodedStream.of(lenient(), stream);
        assertThat(expected.requests).hasSize(3);
        for (int end = 0; end <= stream.length; end++) {
            DecodedStream decoded = DecodedStream.of(strict(), stream, end);
            assertThat(decoded.requests).isEqualTo(expected.requests);
            assertThat(decoded.refused).isFalse();
        }
        assertThat(DecodedStream.byteByByte(strict(), stream).places)
                .isEqualTo(DecodedStream.byteByByte(lenient(), stream).places);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\r\n\tb\r\n\r\n",
                "GET / HTTP/1.1\r\n X: a\r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\r\n \r\n\r\n",
                "GET / HTTP/1.1\r\nX: a\r\nY: b\r\n\t\r\n\r\n",
                "\r\n GET / HTTP/1.1\r\nX: a\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length:\r\n 2\r\n\r\nab",
                "POST / HTTP/1.1\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n , HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
                CHUNKED + "1;a=b\r\nx\r\n0\r\n\r\n",
                CHUNKED + "1;\r\nx\r\n0\r\n\r\n",
                CHUNKED + "1 ;a\r\nx\r\n0\r\n\r\n",
                CHUNKED + "1;a=\"\r\n\"\r\nx\r\n0\r\n\r\n",
                CHUNKED + "1\r\nx\r\n2;a\r\nyz\r\n0\r\n\r\n",
                CHUNKED + "1\r\nx\r\n0;a\r\n\r\n",
                CHUNKED + "1\r\nx\r\n0\t;a=\"b\"\r\n\r\n",
                CHUNKED + "0\r\nX: a\r\n b\r\n\r\n",
                CHUNKED + "0\r\n X: a\r\n\r\n",
                CHUNKED + "1\r\nx\r\n0\r\nX: a\r\nY: b\r\n\tc\r\n\r\n",
            })
    void refuses_folds_and_extensions_in_whatever_parts_they_arrive(String request) {
        byte[] stream = bytes(BEFORE + request + AFTER);
        for (int end = 0; end <= stream.length; end++) {
            refusesAfterFirst(DecodedStream.of(strict(), stream, end));
        }
        refusesAfterFirst(DecodedStream.byteByByte(strict(), stream));
    }

    private static void refusesAfterFirst(DecodedStream decoded) {
        assertThat(decoded.requests).hasSize(1);
        assertThat(decoded.refused).isTrue();
        assertThat(decoded.afterRefusal).isZero();
    }

    @Test
    void agrees_with_the_lenient_one_on_every_stream_without_folds_and_extensions() {
        RequestStreams streams = new RequestStreams(42);
        for (int i = 0; i < STREAMS; i++) {
            byte[] stream = streams.next(0);
            DecodedStream expected = DecodedStream.byteByByte(lenient(), stream);
            DecodedStream decoded = DecodedStream.byteByByte(strict(), stream);
            assertThat(decoded.refused).as(text(stream)).isFalse();
            assertThat(decoded.requests).isEqualTo(expected.requests);
            assertThat(decoded.places).isEqualTo(expected.places);
        }
    }

    @Test
    void stops_at_the_first_fold_or_extension_of_every_stream() {
        RequestStreams streams = new RequestStreams(43);
        int refused = 0;
        for (int i = 0; i < STREAMS; i++) {
            refused += checkAgainstLenient(streams.next(10));
        }
        assertThat(refused).isBetween(STREAMS / 10, STREAMS - STREAMS / 10);
    }

    @Test
    void stops_there_in_streams_with_wrong_bytes_too() {
        RequestStreams streams = new RequestStreams(44);
        int refused = 0;
        for (int i = 0; i < STREAMS; i++) {
            refused += checkAgainstLenient(streams.mutate(streams.next(10)));
        }
        assertThat(refused).isBetween(STREAMS / 10, STREAMS - STREAMS / 10);
    }

    /** Returns 1 when the stream has a fold or an extension in a request that the lenient decoder takes. */
    private static int checkAgainstLenient(byte[] stream) {
        DecodedStream all = DecodedStream.byteByByte(lenient(), stream);
        int good = 0;
        while (good < all.places.size() && !isOffending(stream, all.places.get(good))) {
            good++;
        }
        boolean offends = good < all.places.size();
        for (DecodedStream decoded :
                new DecodedStream[] {DecodedStream.byteByByte(strict(), stream), DecodedStream.of(strict(), stream)}) {
            assertThat(decoded.requests).as(text(stream)).isEqualTo(all.requests.subList(0, good));
            assertThat(decoded.afterRefusal).isZero();
            if (offends || all.refused) {
                assertThat(decoded.refused).as(text(stream)).isTrue();
            }
        }
        return offends ? 1 : 0;
    }

    private static boolean isOffending(byte[] stream, Place place) {
        String head = "\n" + part(stream, place.start(), place.headEnd());
        if (hasFold(head)) {
            return true;
        }
        if (!head.toLowerCase(Locale.ROOT).contains("\ntransfer-encoding:")) {
            return false;
        }
        String body = part(stream, place.headEnd(), place.end());
        for (int at = 0; ; ) {
            String line = body.substring(at, body.indexOf("\n", at) - 1);
            if (line.contains(";")) {
                return true;
            }
            at += line.length() + 2;
            int size = Integer.parseInt(line, 16);
            if (size == 0) {
                return hasFold("\n" + body.substring(at));
            }
            at += size + 2;
        }
    }

    private static boolean hasFold(String lines) {
        return lines.contains("\n ") || lines.contains("\n\t");
    }

    private static String part(byte[] stream, int from, int to) {
        return new String(stream, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] stream) {
        return part(stream, 0, stream.length);
    }
}
