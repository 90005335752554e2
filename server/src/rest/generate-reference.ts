import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "./index.ts";
import { describeApi } from "./openapi.ts";
import { describePages } from "./reference-pages.ts";

/** Where the documentation site reads the pages of the REST API. They are not committed. */
const folder = join(import.meta.dirname, "../../../docs/reference/rest");

if (import.meta.main) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of describePages(describeApi(routes, "https://toolhost.example"))) {
    writeFileSync(join(folder, name), text);
  }
}
