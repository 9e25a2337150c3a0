package dev.semel.benchmarks.engine;

import java.nio.charset.StandardCharsets;

/** Bodies that look like those of a payment service. */
public final class Samples {

    private Samples() {}

    /** An order with as many items as make about so many bytes; its members are not in the order of their names. */
    public static byte[] json(int bytes) {
        StringBuilder json = new StringBuilder("{\"currency\":\"EUR\",\"account\":\"account-17\",\"items\":[");
        for (int i = 0; json.length() < bytes - 90; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"sku\":\"article-")
                    .append(10_000 + i)
                    .append("\",\"price\":")
                    .append(100 + i)
                    .append(".50,\"note\":\"wrapped, with gr\u00fc\u00dfe\"}");
        }
        return json.append("],\"amount\":1999}").toString().getBytes(StandardCharsets.UTF_8);
    }
}
