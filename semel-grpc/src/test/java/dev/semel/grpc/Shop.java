package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A service whose messages are bytes, so that tests see each of them. */
final class Shop {

    static final String SERVICE = "shop.Payments";

    static final MethodDescriptor<byte[], byte[]> CHARGE = method("Charge", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> REFUND = method("Refund", MethodType.UNARY);
    /** A message that the server cannot read. */
    static final String UNREADABLE = "unreadable";

    static final MethodDescriptor<byte[], byte[]> QUOTE = method("Quote", MethodType.UNARY);

    /** The same method for a server whose messages lose spaces at their end when they are read. */
    static final MethodDescriptor<String, String> TRIMMED_QUOTE = MethodDescriptor.newBuilder(
                    new Trimmed(), new Trimmed())
            .setType(MethodType.UNARY)
            .setFullMethodName(QUOTE.getFullMethodName())
            .build();

    static final MethodDescriptor<byte[], byte[]> UNPROTECTED = method("List", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> WATCH = method("Watch", MethodType.SERVER_STREAMING);
    static final MethodDescriptor<byte[], byte[]> UPLOAD = method("Upload", MethodType.CLIENT_STREAMING);

    static final Metadata.Key<String> USER = Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);

    private Shop() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .build();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Trimmed implements MethodDescriptor.Marshaller<String> {

        private final Bytes bytes = new Bytes();

        @Override
        public InputStream stream(String value) {
            return bytes.stream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            String text = new String(bytes.parse(stream), StandardCharsets.UTF_8);
            if (text.equals(UNREADABLE)) {
                throw new IllegalArgumentException("not a message of this method");
            }
            return text.stripTrailing();
        }
    }
}
