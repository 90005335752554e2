import { readFileSync } from "node:fs";
import { generateTools } from "./src/core/imports/openapi/generate-tools.ts";
const [file, ...keys] = process.argv.slice(2);
const r = generateTools(readFileSync("/tmp/specs/"+file), { keys, documentUrl: "https://api.example.com/x.json" });
for (const t of r.tools) { console.log(t.definition.source.code); const {source, ...d} = t.definition; console.log(JSON.stringify(d, null, 1).slice(0,3500)); console.log(t.notes, t.pagination); }
console.log(r.skipped);
