package dev.semel.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("SeenKeys: a guess which keys have records")
class SeenKeysTest {

    private final SeenKeys seen = new SeenKeys();

    private static List<Identity> identities(int number) {
        return Stream.generate(() -> Identity.of("acme", UUID.randomUUID().toString()))
                .limit(number)
                .toList();
    }

    @Test
    void thousands_of_keys_are_kept_apart_from_those_that_were_never_seen() {
        List<Identity> known = identities(5_000);
        known.forEach(seen::add);
        assertThat(known.stream().filter(seen::contains).count()).isGreaterThan(4_950);
        assertThat(identities(5_000).stream().filter(seen::contains).count()).isLessThan(50);
    }

    @Test
    void a_key_that_is_removed_is_not_contained_and_its_neighbours_are() {
        List<Identity> known = identities(100);
        known.forEach(seen::add);
        known.subList(0, 50).forEach(seen::remove);
        assertThat(known.subList(0, 50)).noneMatch(seen::contains);
        assertThat(known.subList(50, 100)).allMatch(seen::contains);
    }

    @Test
    void it_forgets_the_oldest_instead_of_growing() {
        List<Identity> old = identities(1_000);
        old.forEach(seen::add);
        identities(500_000).forEach(seen::add);
        List<Identity> recent = identities(1_000);
        recent.forEach(seen::add);
        assertThat(old.stream().filter(seen::contains).count()).isLessThan(100);
        assertThat(recent.stream().filter(seen::contains).count()).isGreaterThan(950);
    }
}
