package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The other modules are compiled against the libraries of Spring Boot 4. This test finds every class and method that they use in
 * those of Spring Boot 3, also on paths that no test runs: what is missing would be a {@code NoSuchMethodError}.
 */
@DisplayName("The modules of Semel")
class LinkageTest {

    private static final Pattern FOR_TESTS =
            Pattern.compile("test-classes/|-tests\\.jar|semel-test-support|semel-testkit");

    private final Set<String> missing = new TreeSet<>();
    private int checked;

    @Test
    void use_only_classes_and_methods_that_the_libraries_of_Spring_Boot_3_have() throws IOException {
        for (Resource type :
                new PathMatchingResourcePatternResolver().getResources("classpath*:dev/semel/**/*.class")) {
            if (!FOR_TESTS.matcher(type.getURL().toString()).find()) {
                try (InputStream bytes = type.getInputStream()) {
                    new ClassReader(bytes).accept(new Calls(), ClassReader.SKIP_DEBUG);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(checked).as("calls of libraries").isGreaterThan(1000);
    }

    private final class Calls extends ClassVisitor {

        private String caller = "";

        Calls() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            caller = name;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
                    resolve(caller, owner, name, type);
                }

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    find(caller, type);
                }

                @Override
                public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
                    if (type != null) {
                        find(caller, type);
                    }
                }

                @Override
                public void visitLdcInsn(Object value) {
                    if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                        find(caller, type.getInternalName());
                    }
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String name, String type) {
                    find(caller, owner);
                }

                @Override
                public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
                            resolve(caller, handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }
            };
        }
    }

    private void resolve(String caller, String owner, String name, String type) {
        Class<?> found = find(caller, owner);
        if (found == null) {
            return;
        }
        boolean isThere = name.equals("<init>") ? hasConstructor(found, type) : hasMethod(found, name, type);
        if (!isThere) {
            missing.add(caller + " calls " + owner + "." + name + type);
        }
    }

    /** The class of a library; null for others, and for one that is missing. */
    private @Nullable Class<?> find(String caller, String name) {
        if (name.matches("\\[.*|(java|javax|dev/semel)/.*")) {
            return null;
        }
        checked++;
        try {
            return Class.forName(name.replace('/', '.'), false, getClass().getClassLoader());
        } catch (ClassNotFoundException e) {
            missing.add(caller + " needs " + name);
            return null;
        }
    }

    private static boolean hasConstructor(Class<?> owner, String type) {
        return Arrays.stream(owner.getDeclaredConstructors())
                .map(Type::getConstructorDescriptor)
                .anyMatch(type::equals);
    }

    private static boolean hasMethod(Class<?> owner, String name, String type) {
        return hierarchy(owner)
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name))
                .map(Type::getMethodDescriptor)
                .anyMatch(type::equals);
    }

    /** A class, its superclasses and its interfaces; interfaces have the methods of Object, too. */
    private static Stream<Class<?>> hierarchy(Class<?> type) {
        Stream<Class<?>> above = Stream.concat(
                Stream.of(type.getInterfaces()),
                Stream.ofNullable(type.isInterface() ? Object.class : type.getSuperclass()));
        return Stream.concat(Stream.of(type), above.flatMap(LinkageTest::hierarchy));
    }
}
