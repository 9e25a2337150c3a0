package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import java.net.URI;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("DynamoDB: URIs")
class DynamoUriTest {

    @Test
    @DisplayName("a URI names the table, and every setting")
    void every_setting() {
        DynamoUri uri = DynamoUri.parse(
                "dynamodb://semel-prod?region=eu-central-1&endpoint=https%3A%2F%2Fvpce.example"
                        + "&shards=64&timeoutMillis=900&keepMarkedDays=90&tombstoneDays=400&schemaMode=validate&acceptUnsafeDurability=true");
        assertThat(uri.table()).isEqualTo("semel-prod");
        assertThat(uri.region()).isEqualTo("eu-central-1");
        assertThat(uri.endpoint()).isEqualTo(URI.create("https://vpce.example"));
        assertThat(uri.options())
                .isEqualTo(new DynamoOptions(
                        64, Duration.ofMillis(900), Duration.ofDays(90), false, true, Duration.ofDays(400)));
        assertThat(uri).hasToString("dynamodb://semel-prod?region=eu-central-1");
        assertThat(DynamoUri.parse("dynamodb://semel").options()).isEqualTo(DynamoOptions.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamodb:semel | use dynamodb://TABLE?region=REGION",
                "dynamodb:// | 3 to 255 letters",
                "dynamodb://a/b | 3 to 255 letters",
                "dynamodb://semel?colour=red | unknown parameter",
                "dynamodb://semel?region=EU | no region",
                "dynamodb://semel?region=a-1&region=b-1 | given twice",
                "dynamodb://semel?endpoint=http://db.example:8000 | or http:// on loopback",
                "dynamodb://semel?endpoint=dax://cluster.example | endpoint must be https",
                "dynamodb://semel?endpoint=::: | endpoint",
                "dynamodb://semel?shards=0 | shards",
                "dynamodb://semel?shards=4096 | between 1 and 1024",
                "dynamodb://semel?timeoutMillis=-1 | timeoutMillis",
                "dynamodb://semel?schemaMode=drop | create or validate",
                "dynamodb://semel?acceptUnsafeDurability=maybe | true or false"
            })
    @DisplayName("a malformed URI is refused with what would be right")
    void malformed(String uri, String message) {
        assertThatThrownBy(() -> DynamoUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    @DisplayName("the provider opens the store that a URI names, and creates its table")
    void provider() {
        String table = DynamoServer.newTable();
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains("dynamodb"))
                .findFirst()
                .orElseThrow();
        try (Store store = provider.open(
                "dynamodb://" + table + "?endpoint=" + DynamoServer.start().endpoint())) {
            assertThat(store.sample(1)).isEmpty();
        }
    }
}
