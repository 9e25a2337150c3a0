// Prints the table of docs/evidence/scoreboard.md from the reports of tools/scoreboard/run: table.mjs NAME=REPORT...

import { readFileSync } from "node:fs";

function broken(rules, level) {
  const ids = rules.filter((rule) => rule.level === level && rule.verdict === "broken").map((rule) => `\`${rule.id}\``);
  return ids.length === 0 ? "none" : ids.join(", ");
}

console.log("| implementation | MUST broken | SHOULD broken | INFO broken |\n|---|---|---|---|");
for (const argument of process.argv.slice(2)) {
  const [name, file] = argument.split("=");
  const { obstacle, rules } = JSON.parse(readFileSync(file, "utf8")).operations[0];
  const cells = obstacle ? [obstacle, "", ""] : ["MUST", "SHOULD", "INFO"].map((level) => broken(rules, level));
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
