import { readFileSync } from "node:fs";
import { loadDocument, tryPlan } from "./src/core/imports/openapi/read-document.ts";
for (const f of process.argv.slice(2)) {
const { parts, entries } = loadDocument(readFileSync(f));
let n = 0;
for (const e of entries) { const p = tryPlan(parts, e); if ("reason" in p) continue;
 if (p.pagination && !p.pagination.output && n++ < 6) console.log(f.split("/").at(-1), p.key, p.pagination.kind, p.pagination.wireName, p.output.kind, p.output.properties.map(x=>x.name+":"+x.type).join(","));
 }
 console.log(f, "without next:", n);
}
