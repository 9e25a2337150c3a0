package dev.semel.fingerprint;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Canonical JSON by the plainest means: the JDK decodes, Jackson reads, a sorted map orders, a decimal is laid out.
 *
 * <p>It judges bodies in the same order as {@link CanonicalJson} promises: bytes first, then token by token.
 */
final class ReferenceJson {

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final CanonicalJson.Limits limits;

    ReferenceJson(CanonicalJson.Limits limits) {
        this.limits = limits;
    }

    /** The canonical form, {@code opaque}, or the limit that was exceeded. */
    String judge(byte[] body) {
        if (body.length > limits.maxBytes()) {
            return BodyLimitException.Limit.SIZE.name();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.startsWith("\uFEFF")) {
                return "opaque";
            }
            try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
                if (parser.nextToken() == null) {
                    return "opaque";
                }
                String canonical = value(parser, 0);
                return parser.nextToken() == null ? canonical : "opaque";
            }
        } catch (CharacterCodingException | JacksonException | NotCanonicalException e) {
            return "opaque";
        } catch (BodyLimitException e) {
            return e.limit().name();
        }
    }

    private String value(JsonParser parser, int depth) throws NotCanonicalException {
        JsonToken token = parser.currentToken();
        if (token.isStructStart() && depth >= limits.maxDepth()) {
            throw BodyLimitException.depth(limits.maxDepth());
        }
        return switch (token) {
            case START_OBJECT -> object(parser, depth + 1);
            case START_ARRAY -> array(parser, depth + 1);
            case VALUE_STRING -> quoted(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> parser.getString();
        };
    }

    private String object(JsonParser parser, int depth) throws NotCanonicalException {
        TreeMap<String, String> members = new TreeMap<>();
        boolean duplicate = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            quoted(name);
            parser.nextToken();
            duplicate |= members.put(name, value(parser, depth)) != null;
        }
        if (duplicate) {
            throw new NotCanonicalException("duplicate");
        }
        StringBuilder out = new StringBuilder();
        for (var member : members.entrySet()) {
            out.append(out.isEmpty() ? "" : ",")
                    .append(quoted(member.getKey()))
                    .append(':')
                    .append(member.getValue());
        }
        return "{" + out + "}";
    }

    private String array(JsonParser parser, int depth) throws NotCanonicalException {
        StringBuilder out = new StringBuilder();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            out.append(out.isEmpty() ? "" : ",").append(value(parser, depth));
        }
        return "[" + out + "]";
    }

    private static String quoted(String text) throws NotCanonicalException {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new NotCanonicalException("surrogate");
        }
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            int named = "\b\t\n\f\r".indexOf(c);
            if (named >= 0) {
                out.append('\\').append("btnfr".charAt(named));
            } else if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private String number(String text) {
        if (text.length() > limits.maxNumberLength()) {
            throw BodyLimitException.number(text.length(), limits.maxNumberLength());
        }
        String[] halves = text.split("[eE]");
        BigDecimal mantissa = new BigDecimal(halves[0]).stripTrailingZeros();
        if (mantissa.signum() == 0) {
            return "0";
        }
        BigInteger exponent = halves.length > 1 ? new BigInteger(halves[1]) : BigInteger.ZERO;
        String digits = mantissa.unscaledValue().abs().toString();
        BigInteger point = exponent.add(BigInteger.valueOf(digits.length() - mantissa.scale()));
        if (point.compareTo(BigInteger.valueOf(-5)) >= 0 && point.compareTo(BigInteger.valueOf(21)) <= 0) {
            return mantissa.scaleByPowerOfTen(exponent.intValueExact()).toPlainString();
        }
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (mantissa.signum() < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (point.signum() > 0 ? "+" : "")
                + point.subtract(BigInteger.ONE);
    }
}
