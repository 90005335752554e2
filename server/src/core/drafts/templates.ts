import type { JsonObject, Template } from "@toolhost/contract";
import { starterTemplates, readStarterTools } from "@toolhost/starter-tools";

let templates: Promise<Template[]> | undefined;

/** What a new tool can be begun from: taught starterTemplates, then the tools that ship with the service. */
export function getTemplates(): Promise<Template[]> {
  // They are files of this version of the service, so they are read once.
  templates ??= readTemplates();
  return templates;
}

async function readTemplates(): Promise<Template[]> {
  const examples = await readStarterTools();
  return [
    ...starterTemplates.map(({ draft, ...about }) => ({
      ...about,
      kind: "starter" as const,
      definition: draft as JsonObject,
    })),
    ...examples.map(({ slug, draft }) => ({
      id: slug,
      title: String(draft["title"]),
      description: String(draft["description"]),
      kind: "example" as const,
      definition: draft as JsonObject,
    })),
  ];
}
