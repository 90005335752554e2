import { join } from "node:path";
import { toolTypes } from "@toolhost/tool-schema";
import { toJsonFile } from "../json.ts";
import type { Definition } from "./definition.ts";
import { writeGenerated } from "./local-tools.ts";
import { checkStateFolder, stateFolder, toolFolder } from "./project.ts";
import type { Project } from "./project.ts";
import { toolJsonSchema } from "./tool-json-schema.ts";
import { writeAtomic } from "./write-atomic.ts";

/** The compiler options of tools, as in the sandbox: web-standard globals, and no types of Node.js. */
const compilerOptions = {
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "webworker", "webworker.iterable"],
  types: [],
  strict: true,
  noEmit: true,
  allowJs: true,
  skipLibCheck: true,
};

/** Writes the types of a tool's input, output and context beside it, for editors. Git ignores them. A file
 * of the user stays. */
export async function writeEditorFiles(
  project: Project,
  folder: string,
  definition: Pick<Definition, "inputSchema" | "outputSchema" | "fileFields" | "credentials">,
): Promise<void> {
  const place = await toolFolder(project, folder);
  await writeGenerated(join(place, "tool-types.d.ts"), toolTypes(definition));
  // Each tool has its own program, because each declares Input and Output.
  const config = { compilerOptions, include: ["tool.ts", "tool.js", "tool-types.d.ts"] };
  await writeGenerated(join(place, "tsconfig.json"), toJsonFile(config));
}

/** Writes the JSON Schema that `tool.json` refers to. */
export async function writeToolSchema(root: string): Promise<void> {
  await checkStateFolder(root);
  await writeAtomic(join(root, stateFolder, "tool.schema.json"), toJsonFile(toolJsonSchema()));
}
