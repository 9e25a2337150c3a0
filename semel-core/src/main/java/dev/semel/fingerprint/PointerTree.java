package dev.semel.fingerprint;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pointers arranged by their segments, so that one walk over a document meets them all.
 *
 * <p>An array's elements are looked up by the plain decimal spelling of their index, so {@code /01} and {@code /-} name
 * members of objects only, as RFC 6901 wants it.
 */
final class PointerTree {

    private final Map<String, PointerTree> children = new HashMap<>();
    private @Nullable Pointer pointer;

    private PointerTree() {}

    static PointerTree of(Collection<Pointer> pointers) {
        PointerTree root = new PointerTree();
        for (Pointer pointer : pointers) {
            PointerTree node = root;
            for (String segment : pointer.segments()) {
                node = node.children.computeIfAbsent(segment, s -> new PointerTree());
            }
            node.pointer = pointer;
        }
        return root;
    }

    /** The pointer that ends here, if one does. */
    @Nullable
    Pointer pointer() {
        return pointer;
    }

    /** Whether no pointer goes on from here. */
    boolean isLeaf() {
        return children.isEmpty();
    }

    @Nullable
    PointerTree child(String segment) {
        return children.get(segment);
    }
}
