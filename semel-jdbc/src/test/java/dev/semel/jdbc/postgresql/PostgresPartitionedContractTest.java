package dev.semel.jdbc.postgresql;

import dev.semel.jdbc.JdbcSchema;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.HashedKeysContract;
import dev.semel.testkit.contract.ListingContract;
import dev.semel.testkit.contract.StoreContract;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;

/** Rows of different partitions may have the same {@code ctid}, which is unique in other tables. */
@DisplayName("PostgreSQL, with the table partitioned by key: the contract")
class PostgresPartitionedContractTest extends StoreContract implements ListingContract, HashedKeysContract {

    private static final int PARTITIONS = 4;

    @Override
    protected StoreHarness open() throws SQLException {
        return new PostgresHarness(ddl());
    }

    private static String ddl() {
        String primaryKey = "CONSTRAINT semel_record_pkey PRIMARY KEY (key, scope)\n)";
        StringBuilder partitions = new StringBuilder(primaryKey + " PARTITION BY HASH (key)");
        for (int i = 0; i < PARTITIONS; i++) {
            partitions
                    .append(";\nCREATE TABLE semel_record_")
                    .append(i)
                    .append(" PARTITION OF semel_record FOR VALUES WITH (MODULUS ")
                    .append(PARTITIONS)
                    .append(", REMAINDER ")
                    .append(i)
                    .append(")");
        }
        return JdbcSchema.ddl("postgresql").replace(primaryKey, partitions);
    }
}
