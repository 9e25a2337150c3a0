package dev.semel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every public type is a type that a reader has to learn. */
@DisplayName("The API of core")
class ApiSizeTest {

    private static final JavaClasses CORE =
            new ClassFileImporter().importPath(Reactor.classesOf(Reactor.ROOT.resolve("semel-core")));

    private static List<String> publicTypes(Predicate<JavaClass> of) {
        return CORE.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(of)
                .map(JavaClass::getName)
                .sorted()
                .toList();
    }

    @Test
    void has_at_most_25_types_in_the_root_package() {
        assertThat(publicTypes(type -> type.getPackageName().equals("dev.semel")))
                .hasSizeBetween(10, 25);
    }

    @Test
    void has_at_most_70_types_in_all() {
        assertThat(publicTypes(type -> true)).hasSizeBetween(40, 70);
    }
}
