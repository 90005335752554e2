// Runs after an install and removes large parts of packages that nothing here uses. Everything works without this script as
// well. Plain JavaScript that Node 20 understands.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const modules = join(import.meta.dirname, "../node_modules");

/** Headers of Node.js, the editor of whose package only the compiler is bundled, sources of SQLite, and other platforms. */
const unused = [
  ...["include", "share"].map((folder) => `node-${process.platform}-${process.arch}/${folder}`),
  "better-sqlite3/deps",
  "better-sqlite3/src",
  "monaco-editor/dev",
  "monaco-editor/esm/vs/editor",
  "monaco-editor/min",
];
const prebuilds = join(modules, "better-sqlite3/prebuilds");
for (const name of existsSync(prebuilds) ? readdirSync(prebuilds) : []) {
  if (!name.startsWith(process.platform)) unused.push(join("better-sqlite3/prebuilds", name));
}
for (const path of unused) rmSync(join(modules, path), { recursive: true, force: true });

// Debuggers use the source maps of libraries, and tests load the icons as CommonJS, so developers keep them.
if (!existsSync(join(modules, "oxlint"))) {
  rmSync(join(modules, "lucide-react/dist/cjs"), { recursive: true, force: true });
  removeSourceMaps(modules);
}

/** Ignores symbolic links, which lead to the workspaces. */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(path);
    else if (entry.name.endsWith(".map")) rmSync(path);
  }
}
