package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("An @Idempotent method in each form of declaration")
class IdempotentMethodShapesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    SemelAutoConfiguration.class,
                    SemelJsonAutoConfiguration.class,
                    SemelMethodAutoConfiguration.class))
            .withPropertyValues("semel.store=memory:", "spring.aop.proxy-target-class=true");

    record Book(String title) {}

    record Price(int cents) {}

    abstract static class Factory<T> {

        final List<String> made = new ArrayList<>();

        protected abstract T of(String id);

        int runs() {
            return made.size();
        }

        @Idempotent(key = "#id")
        public T make(String id) {
            made.add(id);
            return of(id);
        }

        @Idempotent(key = "#id")
        public CompletableFuture<List<T>> makeLater(String id) {
            made.add(id);
            return CompletableFuture.completedFuture(List.of(of(id)));
        }
    }

    static class Books extends Factory<Book> {
        @Override
        protected Book of(String id) {
            return new Book(id);
        }
    }

    static class Prices extends Factory<Price> {
        @Override
        protected Price of(String id) {
            return new Price(id.length());
        }
    }

    @Test
    void is_read_back_as_what_its_type_variable_stands_for() {
        runner.withBean(Books.class).run(context -> {
            Books books = context.getBean(Books.class);
            Book first = books.make("Emma");
            Book second = books.make("Emma");
            assertThat(second).isEqualTo(first);
            assertThat(books.makeLater("Emma").get()).isEqualTo(List.of(first));
            assertThat(books.makeLater("Emma").get()).isEqualTo(List.of(first));
            assertThat(books.runs()).isEqualTo(2);
        });
    }

    @Test
    void does_not_answer_for_another_class_that_inherits_it() {
        runner.withBean(Books.class).withBean(Prices.class).run(context -> {
            Book book = context.getBean(Books.class).make("Emma");
            Price price = context.getBean(Prices.class).make("Emma");
            assertThat(book).isEqualTo(new Book("Emma"));
            assertThat(price).isEqualTo(new Price(4));
            Price again = context.getBean(Prices.class).make("Emma");
            assertThat(again).isEqualTo(price);
        });
    }

    static class Here {
        static class Mails {
            @Idempotent(key = "#id")
            public String send(String id) {
                return "here";
            }
        }
    }

    static class There {
        static class Mails {
            @Idempotent(key = "#id")
            public String send(String id) {
                return "there";
            }
        }
    }

    @Test
    void does_not_answer_for_a_method_of_the_same_name_elsewhere() {
        runner.withBean("here", Here.Mails.class)
                .withBean("there", There.Mails.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("its operation would have the name mails.send, like")
                        .hasMessageContaining("give each a name"));
    }

    /** Has no properties. */
    public static class Sealed {
        private final String content;

        Sealed(String content) {
            this.content = content;
        }

        public String content() {
            return content;
        }
    }

    enum Tariff {
        DAY,
        NIGHT;

        @Override
        public String toString() {
            return "tariff";
        }
    }

    static class Letters {

        private int runs;

        int runs() {
            return runs;
        }

        @Idempotent(operation = "send-letter", key = "#id")
        public String send(String id, Sealed letter) {
            runs++;
            return letter.content();
        }

        @Idempotent(operation = "weigh-letter", key = "#id", payload = "#letter.content()")
        public String weigh(String id, Sealed letter) {
            runs++;
            return letter.content();
        }

        @Idempotent(operation = "price", key = "#tariff", payload = "''")
        public String price(Tariff tariff) {
            return tariff.name();
        }
    }

    @Test
    void refuses_to_compare_arguments_without_properties() {
        runner.withBean(Letters.class).run(context -> {
            Letters letters = context.getBean(Letters.class);
            assertThatThrownBy(() -> letters.send("1", new Sealed("love")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("@Idempotent on Letters.send")
                    .hasMessageContaining("payload = ");
            assertThat(letters.runs()).isZero();

            assertThat(letters.weigh("1", new Sealed("love"))).isEqualTo("love");
            assertThatThrownBy(() -> letters.weigh("1", new Sealed("hate"))).isInstanceOf(RefusedException.class);
        });
    }

    @Test
    void distinguishes_enum_constants_with_the_same_text() {
        runner.withBean(Letters.class).run(context -> {
            Letters letters = context.getBean(Letters.class);
            assertThat(letters.price(Tariff.DAY)).isEqualTo("DAY");
            assertThat(letters.price(Tariff.NIGHT)).isEqualTo("NIGHT");
        });
    }

    static class WithFinal {
        @Idempotent(operation = "x", key = "#id")
        public final String run(String id) {
            return id;
        }
    }

    static class WithPrivate {
        public String call(String id) {
            return run(id);
        }

        @Idempotent(operation = "x", key = "#id")
        private String run(String id) {
            return id;
        }
    }

    static class WithFuture {
        @Idempotent(operation = "x", key = "#id")
        public Future<String> run(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class WithStream {
        @Idempotent(operation = "x", key = "#id")
        public Stream<String> run(String id) {
            return Stream.of(id);
        }
    }

    static class WithAnything {
        @Idempotent(operation = "x", key = "#id")
        public <T> T run(String id, T value) {
            return value;
        }
    }

    static class WithObject {
        @Idempotent(operation = "x", key = "#id")
        public Object run(String id) {
            return new Book(id);
        }
    }

    private void failsToStart(Class<?> bean, String message) {
        runner.withBean(bean)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }

    @Test
    void fails_at_start_where_no_proxy_can_intercept_it() {
        failsToStart(WithFinal.class, "@Idempotent on WithFinal.run: it is private, static or final");
        failsToStart(WithPrivate.class, "@Idempotent on WithPrivate.run: it is private, static or final");
    }

    @Test
    void is_refused_at_start_when_its_result_cannot_be_replayed() {
        failsToStart(WithFuture.class, "it returns a Future, which cannot be created from a recorded");
        failsToStart(WithStream.class, "as which a recorded result cannot be read back");
        failsToStart(WithAnything.class, "it returns T, as which a recorded result cannot be read back");
        failsToStart(WithObject.class, "it returns java.lang.Object, as which a recorded result cannot be read back");
    }

    public static class Plain {
        @Idempotent(operation = "x", key = "#id")
        public String run(String id) {
            return id;
        }
    }

    @Test
    void fails_at_start_without_jackson() {
        ApplicationContextRunner without = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SemelAutoConfiguration.class,
                        SemelJsonAutoConfiguration.class,
                        SemelMethodAutoConfiguration.class,
                        SemelWithoutJsonAutoConfiguration.class))
                .withPropertyValues("semel.store=memory:")
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson.databind"));
        without.withBean(Plain.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@Idempotent on Plain.run: its result is recorded as JSON"));
        without.run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    static class Desk {

        private int runs;

        @Idempotent(operation = "by-hand", key = "#id")
        public int byHand(String id) {
            return ++runs;
        }

        @PostMapping("/desk")
        @Idempotent(operation = "by-request")
        public int byRequest() {
            return ++runs;
        }
    }

    @Test
    void is_protected_in_a_controller_too_where_it_answers_no_requests() {
        runner.withBean(Desk.class).run(context -> {
            Desk desk = context.getBean(Desk.class);
            assertThat(desk.byHand("1")).isEqualTo(1);
            assertThat(desk.byHand("1")).isEqualTo(1);
            assertThat(desk.byRequest()).isEqualTo(2);
        });
    }
}
