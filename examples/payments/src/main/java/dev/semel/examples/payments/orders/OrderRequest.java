package dev.semel.examples.payments.orders;

import dev.semel.examples.payments.orders.Order.Item;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An order as the client sent it: not valid until {@link #checkedItems()} has passed it. */
record OrderRequest(@Nullable List<@Nullable Line> items) {

    /** A decimal, so that {@code 1e1} is 10 and {@code 1.5} is an error instead of 1. */
    record Line(@Nullable String productId, @Nullable BigDecimal quantity) {}

    /** More than a person orders by hand, and few enough for one short transaction. */
    private static final int MOST_ITEMS = 100;

    private static final int MOST_OF_ONE = 1_000_000;

    private static final Pattern PRODUCT_ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    /**
     * The items, one for each product, sorted by id, so that all transactions lock products in the same order.
     *
     * @throws InvalidOrderException naming every field that is wrong
     */
    List<Item> checkedItems() {
        Map<String, String> errors = new LinkedHashMap<>();
        Map<String, Long> quantities = new TreeMap<>();
        if (items == null || items.isEmpty() || items.size() > MOST_ITEMS) {
            errors.put("items", "must be a list of 1 to " + MOST_ITEMS + " items");
        } else {
            for (int i = 0; i < items.size(); i++) {
                collect(i, items.get(i), quantities, errors);
            }
        }
        quantities.forEach((productId, quantity) -> {
            if (quantity > MOST_OF_ONE) {
                errors.put("items", "must have at most " + MOST_OF_ONE + " of a product");
            }
        });
        if (!errors.isEmpty()) {
            throw new InvalidOrderException(errors);
        }
        return quantities.entrySet().stream()
                .map(entry -> new Item(entry.getKey(), entry.getValue().intValue()))
                .toList();
    }

    private static void collect(
            int index, @Nullable Line line, Map<String, Long> quantities, Map<String, String> errors) {
        String field = "items[" + index + "]";
        if (line == null
                || line.productId() == null
                || !PRODUCT_ID.matcher(line.productId()).matches()) {
            errors.put(field + ".productId", "must be the id of a product, such as p-1");
            return;
        }
        Integer quantity = positive(line.quantity());
        if (quantity == null) {
            errors.put(field + ".quantity", "must be an integer between 1 and " + MOST_OF_ONE);
            return;
        }
        quantities.merge(line.productId(), quantity.longValue(), Long::sum);
    }

    private static @Nullable Integer positive(@Nullable BigDecimal number) {
        try {
            int value = number == null ? 0 : number.intValueExact();
            return value > 0 && value <= MOST_OF_ONE ? value : null;
        } catch (ArithmeticException e) {
            return null;
        }
    }
}
