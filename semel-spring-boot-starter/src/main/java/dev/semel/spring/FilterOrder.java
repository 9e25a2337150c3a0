package dev.semel.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The place of the filter: after that of Spring Security, so that no response is replayed before the caller is known. */
final class FilterOrder {

    /** The order of Spring Security's filter, in servlet applications unless a property changes it. */
    static final int OF_SECURITY = -100;

    private FilterOrder() {}

    static int after(int securityOrder, SemelProperties properties, ListableBeanFactory beans) {
        int order = properties.http().filterOrder();
        if (order <= securityOrder && beans.containsBean(SemelAutoConfiguration.SECURITY_FILTER)) {
            throw new InvalidConfigurationPropertyValueException(
                    "semel.http.filter-order",
                    order,
                    "Responses would be replayed before Spring Security has authenticated the caller. Use more than "
                            + securityOrder + ", or leave it out.");
        }
        return order;
    }
}
