package dev.semel.spring;

import static dev.semel.spring.OperatedApplication.assertRefused;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The actuator endpoint idempotency explains invalid input, and changes nothing,")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActuatorInputTest {

    private OperatedApplication application;

    @BeforeAll
    void start() {
        application = new OperatedApplication(OperatedApplication.EXPOSED, OperatedApplication.UNRESTRICTED);
        application.pay("k-1");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ?limit=0 | limit must be a whole number from 1 to 500
                    ?limit=501 | limit must be a whole number from 1 to 500
                    ?limit=many | limit must be a whole number from 1 to 500
                    ?deadLettered=maybe | deadLettered must be true or false
                    ?afterKey=k | afterScope and afterKey belong together
                    ?afterScope=&afterKey=k | the scope
                    /record?key=k | scope is missing: give the owner of the key
                    /record?scope=a | key is missing: give the key as the client sent it
                    /record?scope=a&key=%00 | the key
                    """)
    void in_a_read_request(String path, String detail) {
        assertRefused(application.get("/actuator/idempotency" + path), 400, detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    verdict | maybe | verdict must be happened or did-not-happen
                    verdict | happened | status is missing: give the status that retries get
                    evidence | ' ' | evidence is missing: give what you saw
                    by | '' | by is missing: give the name of the person who decides
                    status | 201 | what did not happen has no response
                    fence | first | fence must be a whole number
                    scope | '' | scope is missing
                    """)
    void with_a_decision(String name, String value, String detail) {
        assertRefused(application.resolve("k-1", "verdict", "did-not-happen", name, value), 400, detail);
        application.assertState("k-1", "unknown");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    status | 100 | status must be a whole number from 200 to 599
                    headers | Content-Type | headers must be lines of the form
                    headers | Set-Cookie: a=b | the header Set-Cookie is never replayed
                    """)
    void with_a_response(String name, String value, String detail) {
        assertRefused(application.resolve("k-1", "verdict", "happened", "status", "201", name, value), 400, detail);
        application.assertState("k-1", "unknown");
    }
}
