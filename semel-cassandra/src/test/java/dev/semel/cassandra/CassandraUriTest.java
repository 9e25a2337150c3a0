package dev.semel.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.cassandra.CassandraUri.Contact;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("URIs of stores in Cassandra")
class CassandraUriTest {

    @Test
    void says_where_the_store_is_and_what_it_keeps() {
        CassandraUri uri = CassandraUri.parse("cassandra://alice:s%2Fcret@one,two:9043,[::1]:9044/payments?dc=dc1"
                + "&table=keys&consistency=local&tls=true&timeoutMillis=700&keepMarkedDays=2&tombstoneDays=3"
                + "&schemaMode=validate&acceptUnsafeDurability=true");
        assertThat(uri)
                .isEqualTo(new CassandraUri(
                        java.util.List.of(new Contact("one", 9042), new Contact("two", 9043), new Contact("::1", 9044)),
                        "payments",
                        "keys",
                        "dc1",
                        "alice",
                        "s/cret",
                        true,
                        new CassandraOptions(
                                Consistency.LOCAL,
                                Duration.ofMillis(700),
                                Duration.ofDays(2),
                                false,
                                true,
                                Duration.ofDays(3))));
        assertThat(uri.toString()).doesNotContain("cret").doesNotContain("alice");
    }

    @Test
    void needs_little() {
        CassandraUri uri = CassandraUri.parse("cassandra://localhost/semel?dc=datacenter1");
        assertThat(uri.options()).isEqualTo(CassandraOptions.DEFAULT);
        assertThat(uri.table()).isEqualTo("semel_records");
        assertThat(CassandraUri.isCassandra("cassandra://localhost/semel?dc=datacenter1"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cassandra:semel | use cassandra://user:password@host:9042",
                "cassandra://localhost | use cassandra://user:password@host:9042",
                "cassandra://localhost/semel | names the local data center",
                "cassandra://localhost/?dc=one | keyspace",
                "cassandra://localhost/Semel?dc=one | small letters",
                "cassandra://localhost/semel?dc=one&table=a-b | table",
                "cassandra://localhost:99999/semel?dc=one | port",
                "cassandra://lo cal/semel?dc=one | host:port",
                "cassandra://secret@localhost/semel?dc=one | user and password",
                "cassandra://localhost/semel?dc=one&secret=1 | unknown parameter: use dc, table, consistency",
                "cassandra://localhost/semel?dc=one&dc=two | given twice",
                "cassandra://localhost/semel?dc=one&consistency=one | local or global",
                "cassandra://localhost/semel?dc=one&timeoutMillis=0 | number from 1"
            })
    void says_what_is_wrong_and_no_password(String uri, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CassandraUri.parse(uri))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }
}
