package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PostgreSQL: a change and its entry in the audit are one")
class PostgresAuditTest extends PostgresVerbs {

    @Test
    void a_change_whose_entry_cannot_be_written_is_not_made() {
        settle(granted("old"), completed("old"));
        settle(granted("older"), completed("older"));
        expireRetention();
        granted("expired");
        granted("abandoned");
        granted(reexecutable("reexecutable"));
        expireLeases();
        Lease running = granted("running");
        Lease unknown = unknownLease("unknown");
        Map<String, Runnable> changes = new LinkedHashMap<>();
        changes.put("granted", () -> claim("new"));
        changes.put("granted afresh", () -> claim("old"));
        changes.put("taken over", () -> claim(reexecutable("reexecutable")));
        changes.put("given up", () -> claim("expired"));
        changes.put("swept", () -> sweep(10));
        changes.put("step", () -> step(running, "charge", response("charged")));
        changes.put("settled", () -> settle(running, completed("done")));
        changes.put("requeued", () -> reschedule(unknown, new Reschedule.Reset()));
        changes.put("reconciled", () -> reconcile(unknown, completed("found")));
        changes.put("marked", () -> prune(10, Expiry.MARK));

        harness().execute("""
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF TG_OP = 'INSERT' OR cardinality(semel_history(NEW)) > cardinality(semel_history(OLD)) THEN RAISE EXCEPTION 'no'; END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON semel_record FOR EACH ROW EXECUTE FUNCTION refuse();
                """);
        String before = records();
        changes.forEach((name, change) -> {
            assertThatThrownBy(change::run)
                    .as(name)
                    .satisfies(fault -> assertThat(fault instanceof CompletionException ? fault.getCause() : fault)
                            .isInstanceOf(StoreException.class));
            assertThat(records()).as(name).isEqualTo(before);
        });

        harness().execute("DROP TRIGGER refuse ON semel_record");
        changes.forEach((name, change) -> {
            String entries = entries();
            change.run();
            assertThat(entries()).as(name).isNotEqualTo(entries);
        });
    }

    @Test
    void deleting_a_record_deletes_its_entries_and_no_others() {
        settle(granted("k"), completed("done"));
        expireRetention();
        settle(granted("k2"), completed("done"));
        assertThat(prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(history("k")).isEmpty();
        assertThat(history("k2")).hasSize(2);
    }

    private String records() {
        return harness().text("SELECT string_agg(r::text, ';' ORDER BY key) FROM semel_record r");
    }

    private String entries() {
        return harness().text("SELECT count(*) || ' up to ' || max(number) FROM semel_audit");
    }
}
