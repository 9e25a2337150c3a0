package dev.semel.examples.payments.provider;

import java.util.UUID;

/**
 * A webhook event about a new entry of the ledger.
 *
 * @param id the same however often it is sent; it has no full stop, which would make its signature ambiguous
 * @param createdAt by the provider's clock, in ISO 8601
 */
record Event(String id, String type, String createdAt, Entry data) {

    static Event of(Entry entry) {
        return new Event("evt_" + UUID.randomUUID(), "charge." + entry.status(), entry.at(), entry);
    }
}
