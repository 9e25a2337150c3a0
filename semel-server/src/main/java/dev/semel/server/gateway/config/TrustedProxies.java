package dev.semel.server.gateway.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The addresses of proxies that are believed what they say of their clients, as CIDR blocks. */
public final class TrustedProxies {

    /** No proxy is trusted. */
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    private final List<Block> blocks;

    private TrustedProxies(List<Block> blocks) {
        this.blocks = blocks;
    }

    /** The addresses that have their first bits in common. */
    private static final class Block {

        private final byte[] address;
        private final int bits;

        Block(byte[] address, int bits) {
            this.address = address;
            this.bits = bits;
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit % 8);
                if ((address[bit / 8] & mask) != (other[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Understands addresses such as {@code 10.0.0.7}, and blocks such as {@code 10.0.0.0/8}.
     *
     * @throws IllegalArgumentException when one is neither
     */
    public static TrustedProxies of(List<String> texts) {
        return texts.isEmpty()
                ? NONE
                : new TrustedProxies(texts.stream().map(TrustedProxies::block).toList());
    }

    private static Block block(String text) {
        int slash = text.indexOf('/');
        byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
        if (address.length == 0) {
            throw wrong(text);
        }
        int bits = address.length * 8;
        if (slash >= 0) {
            try {
                bits = Integer.parseInt(text.substring(slash + 1));
            } catch (NumberFormatException e) {
                throw wrong(text);
            }
            if (bits < 0 || bits > address.length * 8) {
                throw wrong(text);
            }
        }
        return new Block(address, bits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("'" + text
                + "' is no address of a proxy: use an IP address such as 10.0.0.7, or a block such as 10.0.0.0/8");
    }

    /** The bytes of a literal address; empty for anything else, which is never looked up. */
    private static byte[] bytes(String literal) {
        if (!literal.matches("[0-9.]+") && !(literal.contains(":") && literal.matches("[0-9a-fA-F:.]+"))) {
            return new byte[0];
        }
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            return new byte[0];
        }
    }

    public boolean contains(String address) {
        if (blocks.isEmpty()) {
            return false;
        }
        int zone = address.indexOf('%');
        byte[] bytes = bytes(zone < 0 ? address : address.substring(0, zone));
        return blocks.stream().anyMatch(block -> block.contains(bytes));
    }

    public boolean isEmpty() {
        return blocks.isEmpty();
    }
}
