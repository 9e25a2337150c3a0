package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The explorer")
class ExplorerTest {

    /** A counter below 64 that may be doubled, or, by a fault, set to the next number. */
    private static final class Counter implements Model<Integer> {

        private final int forbidden;
        private final int wanted;

        Counter(int forbidden, int wanted) {
            this.forbidden = forbidden;
            this.wanted = wanted;
        }

        @Override
        public Integer start() {
            return 1;
        }

        @Override
        public long key(Integer state) {
            return state;
        }

        @Override
        public List<Move<Integer>> moves(Integer state) {
            List<Move<Integer>> moves = new ArrayList<>();
            moves.add(new Move<>("twice", false, state * 2 % 64, broken(state * 2 % 64)));
            moves.add(new Move<>("next", true, (state + 1) % 64, broken((state + 1) % 64)));
            return moves;
        }

        private @Nullable String broken(int state) {
            return state == forbidden ? "forbidden" : null;
        }

        @Override
        public List<Goal<Integer>> goals() {
            return List.of(new Goal<>("the wanted number", state -> state == wanted));
        }
    }

    @Test
    void visits_every_state_once_and_takes_every_move() {
        Exploration exploration = Explorer.explore(new Counter(-1, 0));

        assertThat(exploration.states()).isEqualTo(64);
        assertThat(exploration.moves()).isEqualTo(128);
        assertThat(exploration.violation())
                .as("whatever is doubled often enough is 0")
                .isNull();
    }

    @Test
    void finds_a_forbidden_state_on_a_shortest_way() {
        Exploration exploration = Explorer.explore(new Counter(9, 0));

        assertThat(exploration.violation()).isNotNull();
        assertThat(exploration.violation().trace())
                .extracting(line -> line.replaceAll("\\s+", " "))
                .containsExactly("twice 2", "twice 4", "twice 8", "next 9");
        assertThat(exploration.toString()).contains("forbidden", " 1. twice", " 4. next");
    }

    @Test
    void finds_a_state_from_which_a_goal_is_reached_by_faults_only() {
        Exploration exploration = Explorer.explore(new Counter(-1, 3));

        assertThat(exploration.violation()).isNotNull();
        assertThat(exploration.violation().rule()).contains("the wanted number");
    }

    @Test
    void numbers_millions_of_keys() {
        LongIndex index = new LongIndex();
        assertThat(IntStream.range(0, 1_000_000).allMatch(i -> index.indexOf((long) i << 40 | i % 7) == i))
                .isTrue();
        assertThat(index.indexOf(3L << 40 | 3)).isEqualTo(3);
    }
}
