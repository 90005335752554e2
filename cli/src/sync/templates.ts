import { starterTemplates } from "@toolhost/starter-tools/templates";
import { usageError } from "../terminal/cli-error.ts";

/** Short names of templates. */
const aliases: Readonly<Record<string, string>> = {
  http: "api-with-credential",
  file: "file-in-file-out",
};

/** The names that `--template` accepts. */
const templateNames: readonly string[] = [
  ...starterTemplates.map(({ id }) => id),
  ...Object.keys(aliases),
];

/** The definition of a template. Throws for an unknown name. */
export function findTemplate(name: string): Record<string, unknown> {
  const id = Object.hasOwn(aliases, name) ? aliases[name] : name;
  const found = starterTemplates.find((template) => template.id === id);
  if (found !== undefined) return found.draft;
  throw usageError(`There is no template "${name}". Use one of: ${templateNames.join(", ")}.`);
}
