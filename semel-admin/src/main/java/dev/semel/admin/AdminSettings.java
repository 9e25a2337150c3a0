package dev.semel.admin;

import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.engine.SemelEngine;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The settings of an {@link AdminApi}. {@link AdminApi#on} starts with the safe choices: read-only, and one approval. */
record AdminSettings(
        SemelEngine semel,
        Authenticator access,
        boolean writes,
        int approvals,
        boolean loopbackOnly,
        Catalog catalog,
        @Nullable LiveFigures live,
        @Nullable MisuseLog misuse,
        @Nullable ReplayLog replays,
        Supplier<List<Finding>> doctor,
        String storeName,
        AdminTime time) {}
