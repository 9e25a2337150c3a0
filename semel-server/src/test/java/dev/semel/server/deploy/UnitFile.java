package dev.semel.server.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A unit of systemd: sections, each with directives that may be repeated. */
record UnitFile(Map<String, Map<String, List<String>>> sections) {

    /** The directives that our units use; a misspelled one would be ignored by systemd with a mere warning. */
    private static final Map<String, Set<String>> DIRECTIVES = Map.of(
            "Unit", Set.of("Description", "Documentation", "Wants", "After", "OnFailure"),
            "Service",
                    Set.of(
                            "Type",
                            "EnvironmentFile",
                            "ExecStart",
                            "TimeoutStartSec",
                            "Restart",
                            "RestartSec",
                            "SuccessExitStatus",
                            "StateDirectory",
                            "WorkingDirectory",
                            "TimeoutStopSec",
                            "DynamicUser",
                            "NoNewPrivileges",
                            "ProtectSystem",
                            "ProtectHome",
                            "PrivateTmp",
                            "PrivateDevices",
                            "ProtectClock",
                            "ProtectHostname",
                            "ProtectKernelLogs",
                            "ProtectKernelModules",
                            "ProtectKernelTunables",
                            "ProtectControlGroups",
                            "ProtectProc",
                            "LockPersonality",
                            "RestrictNamespaces",
                            "RestrictRealtime",
                            "RestrictSUIDSGID",
                            "RestrictAddressFamilies",
                            "CapabilityBoundingSet",
                            "SystemCallArchitectures",
                            "SystemCallFilter",
                            "UMask"),
            "Timer", Set.of("OnCalendar", "RandomizedDelaySec", "Persistent"),
            "Install", Set.of("WantedBy"));

    /** @throws IllegalArgumentException naming the first line that systemd would not understand */
    static UnitFile of(String text) {
        Map<String, Map<String, List<String>>> sections = new LinkedHashMap<>();
        String section = "";
        for (String line : text.lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[") && line.endsWith("]")) {
                section = line.substring(1, line.length() - 1);
                if (!DIRECTIVES.containsKey(section) || sections.put(section, new LinkedHashMap<>()) != null) {
                    throw new IllegalArgumentException("unknown or repeated section: " + line);
                }
                continue;
            }
            int equals = line.indexOf('=');
            if (equals < 1
                    || !DIRECTIVES.getOrDefault(section, Set.of()).contains(line.substring(0, equals))
                    || line.endsWith("\\")) {
                throw new IllegalArgumentException("not a directive of [" + section + "]: " + line);
            }
            sections.get(section)
                    .computeIfAbsent(line.substring(0, equals), name -> new ArrayList<>())
                    .add(line.substring(equals + 1));
        }
        return new UnitFile(sections);
    }

    /** @throws IllegalStateException unless the directive is there exactly once */
    String only(String section, String name) {
        List<String> values = sections.getOrDefault(section, Map.of()).getOrDefault(name, List.of());
        if (values.size() != 1) {
            throw new IllegalStateException("[" + section + "] has " + values.size() + " times " + name);
        }
        return values.get(0);
    }
}
