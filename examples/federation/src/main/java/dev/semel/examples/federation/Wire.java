package dev.semel.examples.federation;

import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.FederationReply;
import dev.semel.messaging.federation.Payload;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of messages and replies.
 *
 * <pre>
 * {"id":"t-1","from":"bank-a","to":"bank-b","action":"credit","payload":{…},"timestamp":"2026-11-18T03:00:00Z"}
 * {"status":"done","result":{…},"duplicate":false}
 * {"status":"failed","type":"…","message":"…","duplicate":false}
 * {"status":"refused","reason":"id_reused"}
 * {"status":"later","reason":"in_progress"}
 * </pre>
 */
final class Wire {

    /** Numbers keep their exact value: two amounts must not become one. */
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Wire() {}

    static byte[] write(FederationMessage message) {
        return JSON.writeValueAsBytes(JSON.createObjectNode()
                .put("id", message.id())
                .put("from", message.from())
                .put("to", message.to())
                .put("action", message.action())
                .put("timestamp", message.timestamp().toString())
                .set("payload", JSON.readTree(message.payload().bytes())));
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException when a member is missing or of another type
     */
    static FederationMessage readMessage(byte[] json) {
        try {
            JsonNode read = JSON.readTree(json);
            return new FederationMessage(
                    read.required("id").stringValue(),
                    read.required("from").stringValue(),
                    read.required("to").stringValue(),
                    read.required("action").stringValue(),
                    Payload.of(JSON.writeValueAsBytes(read.required("payload"))),
                    Instant.parse(read.required("timestamp").stringValue()));
        } catch (JacksonException | DateTimeException e) {
            throw new IllegalArgumentException("a message has id, from, to, action, payload and timestamp", e);
        }
    }

    static byte[] write(FederationReply reply) {
        ObjectNode json = JSON.createObjectNode();
        if (reply instanceof FederationReply.Done done) {
            json.put("status", "done");
            json.set("result", JSON.readTree(done.result().bytes()));
            json.put("duplicate", done.duplicate());
        } else if (reply instanceof FederationReply.Failed failed) {
            json.put("status", "failed").put("type", failed.type()).put("message", failed.message());
            json.put("duplicate", failed.duplicate());
        } else if (reply instanceof FederationReply.Refused refused) {
            json.put("status", "refused").put("reason", lower(refused.fault()));
        } else if (reply instanceof FederationReply.Later later) {
            json.put("status", "later").put("reason", lower(later.until()));
        }
        return JSON.writeValueAsBytes(json);
    }

    /**
     * Reads a reply.
     *
     * @throws IllegalArgumentException when it is not one
     */
    static FederationReply readReply(byte[] json) {
        try {
            JsonNode read = JSON.readTree(json);
            String status = read.required("status").stringValue();
            return switch (status) {
                case "done" ->
                    new FederationReply.Done(
                            Payload.of(JSON.writeValueAsBytes(read.required("result"))), isDuplicate(read));
                case "failed" ->
                    new FederationReply.Failed(
                            read.required("type").stringValue(),
                            read.required("message").stringValue(),
                            isDuplicate(read));
                case "refused" -> new FederationReply.Refused(FederationReply.Refused.Fault.valueOf(reasonOf(read)));
                case "later" -> new FederationReply.Later(FederationReply.Later.Wait.valueOf(reasonOf(read)));
                default -> throw new IllegalArgumentException("a reply has no status " + status);
            };
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a reply", e);
        }
    }

    private static boolean isDuplicate(JsonNode reply) {
        return reply.required("duplicate").booleanValue();
    }

    private static String reasonOf(JsonNode reply) {
        return reply.required("reason").stringValue().toUpperCase(Locale.ROOT);
    }

    private static String lower(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
