package dev.semel.fingerprint;

import dev.semel.fingerprint.Stretch.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a request's outline: its structure and names, with a digest in place of each value.
 *
 * <ol>
 *   <li>At first every part is one digest. Then containers are opened, the outer ones before the inner ones, each if all that
 *       it directly holds still fits. A container that does not fit stays one digest.
 *   <li>Only then are digests made, so that each byte of the request is digested once.
 * </ol>
 *
 * <p>The format: one byte, the version; the number of parts; for each its name and its node. A node is a byte for its shape,
 * and behind it the digest of a plain one, or the number of children, each a name (elements have none) and a node.
 */
final class OutlineWriter {

    static final int VERSION = 1;

    /** Names that take one byte; the position of each is part of the format. */
    static final List<String> KNOWN_PARTS =
            List.of("method", "path", "query", "media-type", "content-encoding", "body");

    /** More than the bodies that people write have, and few enough that digesting them takes some ten microseconds. */
    private static final int MOST_VALUES = 64;

    private static final int DIGEST_NODE_BYTES = 1 + ValueDigests.BYTES;

    /** From here on a length takes two bytes. */
    private static final int LONG = 0x80;

    private final ValueDigests digests;
    private int bytesLeft;
    private int valuesLeft = MOST_VALUES;

    private OutlineWriter(ValueDigests digests, int mostBytes) {
        this.digests = digests;
        this.bytesLeft = mostBytes;
    }

    /** Returns the outline, or nothing where not even one digest for each part fits. */
    static byte[] write(List<Parts.Part> parts, ValueDigests digests, int mostBytes) {
        return new OutlineWriter(digests, mostBytes).write(parts);
    }

    private byte[] write(List<Parts.Part> parts) {
        bytesLeft -= 1 + lengthBytes(parts.size());
        List<Node> roots = new ArrayList<>(parts.size());
        for (Parts.Part part : parts) {
            bytesLeft -= 1 + (KNOWN_PARTS.contains(part.name()) ? 0 : nameBytes(part.name())) + DIGEST_NODE_BYTES;
            roots.add(new Node(part.name(), "", part.content().stretch()));
        }
        if (bytesLeft < 0) {
            return new byte[0];
        }
        open(roots);
        ByteSink out = new ByteSink(256);
        out.write(VERSION);
        writeLength(out, roots.size());
        for (Node root : roots) {
            int known = KNOWN_PARTS.indexOf(root.name);
            if (known >= 0) {
                out.write(known + 1);
            } else {
                out.write(0);
                writeName(out, root.name);
            }
            write(out, root, root.name);
        }
        return out.copy(0, out.size());
    }

    private void open(List<Node> roots) {
        Queue<Node> waiting = new ArrayDeque<>(roots);
        for (Node node = waiting.poll(); node != null; node = waiting.poll()) {
            if (node.value.shape() != Shape.PLAIN) {
                node.children = childrenThatFit(node);
                if (node.children != null) {
                    waiting.addAll(node.children);
                }
            }
        }
    }

    private @Nullable List<Node> childrenThatFit(Node parent) {
        boolean named = parent.value.shape() != Shape.ARRAY;
        int bytes = 1 + lengthBytes(valuesLeft) - DIGEST_NODE_BYTES;
        List<Node> children = new ArrayList<>();
        Stretch.Children walk = parent.value.children();
        while (walk.next()) {
            bytes += DIGEST_NODE_BYTES + (named ? nameBytes(walk.name()) : 0);
            if (bytes > bytesLeft || children.size() == valuesLeft) {
                return null;
            }
            children.add(new Node(walk.name(), walk.pointer(parent.pointer), walk.value()));
        }
        if (bytes > bytesLeft) {
            return null;
        }
        bytesLeft -= bytes;
        valuesLeft -= children.size();
        return children;
    }

    private void write(ByteSink out, Node node, String part) {
        if (node.children == null) {
            int digest = digests.of(part, node.pointer, node.value);
            out.write(Shape.PLAIN.tag()).write(digest >> 16).write(digest >> 8).write(digest);
            return;
        }
        Shape shape = node.value.shape();
        out.write(shape.tag());
        writeLength(out, node.children.size());
        for (Node child : node.children) {
            if (shape != Shape.ARRAY) {
                writeName(out, child.name);
            }
            write(out, child, part);
        }
    }

    /** The bytes that a name takes in UTF-8, with its length. */
    private static int nameBytes(String name) {
        int bytes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return lengthBytes(bytes) + bytes;
    }

    private static int lengthBytes(int length) {
        return length < LONG ? 1 : 2;
    }

    private static void writeName(ByteSink out, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        writeLength(out, bytes.length);
        out.write(bytes, 0, bytes.length);
    }

    /** In one byte or two: an outline has some hundred bytes at most. */
    private static void writeLength(ByteSink out, int length) {
        if (length >= LONG) {
            out.write(LONG | length >> 8);
        }
        out.write(length);
    }

    /** A value of the request, with what it is made of once that is known to fit. */
    private static final class Node {

        final String name;
        final String pointer;
        final Stretch value;

        @Nullable
        List<Node> children;

        Node(String name, String pointer, Stretch value) {
            this.name = name;
            this.pointer = pointer;
            this.value = value;
        }
    }
}
