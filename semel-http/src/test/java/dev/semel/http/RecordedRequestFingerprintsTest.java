package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.fingerprint.Fingerprinter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values were recorded with the first release of version 1, and never change. */
@DisplayName("Stored fingerprints of requests")
class RecordedRequestFingerprintsTest {

    private static final String JSON = "{\"amount\":1,\"to\":\"Zo\u00eb\"}";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    no body         | 93474c599a378374077feb29edfd9bfbe0cab6002cf35722549a382725b3b99f
                    json            | 5da73c1d40499c64fc9292559e07d45c02135493fb4b89e79ff9d4e64e032e09
                    json utf-8      | 5da73c1d40499c64fc9292559e07d45c02135493fb4b89e79ff9d4e64e032e09
                    json in quotes  | 5da73c1d40499c64fc9292559e07d45c02135493fb4b89e79ff9d4e64e032e09
                    problem json    | 88d285c1768769e40fc0c76e794e451ec8651b94a9f4f3349103931b798554eb
                    semantic fields | 9535f214b1455832251cba18eff881108eb46cf331ea8dd9eb0aa3445a4a9997
                    header          | 88f7ef652ab3423a85676c06b9c1563f116752d2ae85fe4181cdc7ab8c50b914
                    two headers     | 25187fc0eab842e584d8ae8524867aa066138453d1132ef5bdacb6b83f1fa9dc
                    text            | ab74596b8e51370d605078ef2a0b3db3b616688cac7002d6fb828c45f38bd0bd
                    text latin-1    | 79128672ebfeb24e5d545de10181c3d8e21971cd14da3bf64f580debf8ec9020
                    bytes           | 5f3d8aa08c14d41db267d2f36d501f391f71fb4a8138832b4a95d4ce16067dd1
                    multipart       | 29cd94759c07cf159617f60e6a0e436250ad8bcadd0cfbfb7e9e3460c0cd6793
                    """)
    void are_those_of_the_same_requests_today(String name, String recorded) {
        RoutePolicyBuilder policy = RoutePolicy.of(Operation.named("pay")).fingerprintHeaders("X-Currency");
        if (name.equals("semantic fields")) {
            policy.semanticFields("/amount");
        }
        assertThat(Fingerprinter.sha256()
                        .of(RequestParts.of(request(name), policy.build()))
                        .value())
                .isEqualTo("v1:" + recorded);
    }

    private static RequestView request(String name) {
        return switch (name) {
            case "no body" -> sent(null, "", Headers.NONE);
            case "json utf-8" -> sent("application/json; charset=UTF-8", JSON, Headers.NONE);
            case "json in quotes" -> sent("Application/JSON ;charset=\"utf-8\"", JSON, Headers.NONE);
            case "problem json" -> sent("application/problem+json", JSON, Headers.NONE);
            case "header" -> sent("application/json", JSON, Headers.of("x-currency", "EUR"));
            case "two headers" ->
                sent("application/json", JSON, Headers.of("X-Currency", "EUR").with("X-Currency", "USD"));
            case "text" -> sent("text/plain", JSON, Headers.NONE);
            case "text latin-1" -> sent("text/plain; charset=ISO-8859-1", JSON, Headers.NONE);
            case "bytes" -> sent("application/octet-stream", "\u0000\u0001", Headers.NONE);
            case "multipart" ->
                sent(
                        "multipart/form-data; boundary=b",
                        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n",
                        Headers.NONE);
            default -> sent("application/json", JSON, Headers.NONE);
        };
    }

    private static RequestView sent(String mediaType, String body, Headers headers) {
        return RequestView.of("POST", "/payments/7")
                .rawQuery("b=2&a=1")
                .headers(mediaType == null ? headers : headers.with("Content-Type", mediaType))
                .build()
                .withBody(Body.ofText(body));
    }
}
