package dev.semel.spring;

import dev.semel.Attempt;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/** A method of a bean that is {@link Idempotent}: its annotation is parsed once, and evaluated for each call. */
final class IdempotentMethod {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final Class<?> type;
    private final String operation;
    private final Expression key;
    private final @Nullable Expression payload;
    private final @Nullable Expression scope;
    private final Type resultType;

    /** @throws IllegalStateException when the annotation does not fit the method; the message says what would */
    IdempotentMethod(Method method, Class<?> type, Idempotent annotation) {
        this.method = method;
        this.type = type;
        this.operation = operationName(annotation, method, type);
        requireProxyable();
        if (annotation.key().isEmpty()) {
            throw wrong("it needs a key, an expression on its arguments such as key = \"#command.id\"");
        }
        this.key = expression("key", annotation.key());
        this.payload = annotation.payload().isEmpty() ? null : expression("payload", annotation.payload());
        this.scope = annotation.scope().isEmpty() ? null : expression("scope", annotation.scope());
        requireReturnType();
        this.resultType = resolved(result());
    }

    static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** {@code Orders.placeOrder} is {@code orders.place-order}; an inherited method is named after the class of the bean. */
    static String operationName(Idempotent annotation, Method method, Class<?> type) {
        if (!annotation.operation().isEmpty()) {
            return annotation.operation();
        }
        Class<?> named = Proxy.isProxyClass(type) ? method.getDeclaringClass() : ClassUtils.getUserClass(type);
        return kebab(named.getSimpleName()) + "." + kebab(method.getName());
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("[^A-Za-z0-9]+", "-")
                .toLowerCase(Locale.ROOT);
    }

    /** Calls that bypass the proxy would execute every time, without a warning. */
    private void requireProxyable() {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw wrong("it is private, static or final, so a proxy cannot intercept its calls, and each would execute;"
                    + " make it a method that can be overridden");
        }
    }

    private void requireReturnType() {
        Class<?> returned = method.getReturnType();
        if (returned.getName().startsWith("reactor.core.publisher.")
                || returned.getName().equals("org.reactivestreams.Publisher")) {
            throw wrong("it returns a " + returned.getSimpleName() + ", which runs once for each subscriber; return a"
                    + " CompletionStage, or let the filter protect the endpoint");
        }
        if (Future.class.isAssignableFrom(returned) || isAsynchronous()) {
            if (!returned.isAssignableFrom(CompletableFuture.class) || !isAsynchronous()) {
                throw wrong("it returns a " + returned.getSimpleName() + ", which cannot be created from a recorded"
                        + " result; return a CompletionStage or a CompletableFuture");
            }
        }
        if (result().resolve(Object.class) == Object.class || BaseStream.class.isAssignableFrom(returned)) {
            throw wrong("it returns " + method.getGenericReturnType().getTypeName()
                    + ", as which a recorded result cannot be read back; return a specific type");
        }
    }

    private Expression expression(String what, String text) {
        try {
            Expression parsed = PARSER.parseExpression(text);
            requireVariables(what, text, ((SpelExpression) parsed).getAST());
            return parsed;
        } catch (ParseException e) {
            throw wrong("its " + what + " \"" + text + "\" is not a valid expression: " + e.getMessage());
        }
    }

    private void requireVariables(String what, String text, SpelNode node) {
        if (node instanceof VariableReference) {
            String name = node.toStringAST().substring(1);
            Set<String> known = variables();
            if (!known.contains(name)) {
                throw wrong("its " + what + " \"" + text + "\" refers to #" + name + ", but there are only "
                        + known.stream().map(variable -> "#" + variable).collect(Collectors.joining(", "))
                        + (NAMES.getParameterNames(method) == null ? " (compile with -parameters to use names)" : ""));
            }
        }
        for (int child = 0; child < node.getChildCount(); child++) {
            requireVariables(what, text, node.getChild(child));
        }
    }

    private Set<String> variables() {
        List<String> names = new ArrayList<>();
        String[] discovered = NAMES.getParameterNames(method);
        if (discovered != null) {
            names.addAll(Arrays.asList(discovered));
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            names.add("p" + i);
            names.add("a" + i);
        }
        names.addAll(List.of("this", "root"));
        return new LinkedHashSet<>(names);
    }

    String operation() {
        return operation;
    }

    Method method() {
        return method;
    }

    Class<?> type() {
        return type;
    }

    boolean isAsynchronous() {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    boolean isVoid() {
        return resultType == void.class || resultType == Void.class;
    }

    /** The type of the recorded result: what the method returns, or what its stage completes with. */
    Type resultType() {
        return resultType;
    }

    private ResolvableType result() {
        ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
        return isAsynchronous() ? returned.as(CompletionStage.class).getGeneric(0) : returned;
    }

    /** The type with its type variables resolved in this class. */
    private static Type resolved(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        if (type.isArray()) {
            return resolved(type.getComponentType()) instanceof Class ? raw : type.getType();
        }
        if (!type.hasGenerics()) {
            return raw;
        }
        ResolvableType[] generics = Arrays.stream(type.getGenerics())
                .map(generic -> ResolvableType.forType(resolved(generic)))
                .toArray(ResolvableType[]::new);
        return ResolvableType.forClassWithGenerics(raw, generics).getType();
    }

    /** The key of a call. */
    String key(@Nullable Object target, @Nullable Object[] arguments) {
        return text("key", key, target, arguments);
    }

    /** The owner of a call's key; null when the annotation names none. */
    @Nullable
    String scope(@Nullable Object target, @Nullable Object[] arguments) {
        return scope == null ? null : text("scope", scope, target, arguments);
    }

    private String text(String what, Expression expression, @Nullable Object target, @Nullable Object[] arguments) {
        Object value = value(what, expression, target, arguments);
        if (value instanceof CharSequence || value instanceof Number || value instanceof UUID) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            // toString() is for people, and may be the same for several constants.
            return constant.name();
        }
        throw new IllegalArgumentException("@Idempotent on " + nameOf(method) + ": its " + what + " \""
                + expression.getExpressionString() + "\" is "
                + (value == null ? "null" : "a " + value.getClass().getName())
                + "; it must be text, a number, a UUID or an enum constant");
    }

    /** The payload, which must be the same in every call with the same key. */
    @Nullable
    Object payload(@Nullable Object target, @Nullable Object[] arguments) {
        if (payload != null) {
            return value("payload", payload, target, arguments);
        }
        List<@Nullable Object> all = new ArrayList<>();
        for (Object argument : arguments) {
            if (!(argument instanceof Attempt)) {
                all.add(argument);
            }
        }
        return all;
    }

    private @Nullable Object value(
            String what, Expression expression, @Nullable Object target, @Nullable Object[] arguments) {
        try {
            return expression.getValue(new MethodBasedEvaluationContext(target, method, arguments, NAMES));
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "@Idempotent on " + nameOf(method) + ": its " + what + " cannot be evaluated: " + e.getMessage(),
                    e);
        }
    }

    private IllegalStateException wrong(String what) {
        return new IllegalStateException("@Idempotent on " + nameOf(method) + ": " + what);
    }
}
