import type { JsonObject, Template } from "@toolhost/contract";
import { starterTemplates, readStarterTools } from "@toolhost/starter-tools";

let templates: Promise<Template[]> | undefined;

/** Templates for new tools: the starters, then the tools that ship with the service. */
export function getTemplates(): Promise<Template[]> {
  // They ship with this version of the service, so one read is enough.
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
