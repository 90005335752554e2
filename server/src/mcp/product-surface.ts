import type { JsonObject } from "@toolhost/contract";
import { brokerTools } from "#core/agents";
import { callTool } from "./call-tool.ts";
import { objectAt } from "./message.ts";
import { listResources, listResourceTemplates, readResource } from "./resources.ts";
import {
  cacheHints,
  instructions,
  isLegacy,
  legacyRevisions,
  modernRevisions,
  serverInfo,
} from "./revisions.ts";
import type { Method, Surface } from "./surface.ts";
import { callToolOrTask, cancelTask, getTask, tasksExtension, updateTask } from "./tasks.ts";
import { widgetMetaOf } from "./tool-runner.ts";

/** What the service offers. */
export const capabilities: JsonObject = { tools: {}, resources: {} };

/** The six tools as lists show them. */
export const listedTools: readonly JsonObject[] = brokerTools.map(
  ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    ...widgetMetaOf(name),
  }),
);

/** Methods of an endpoint with these capabilities and tools, as each era opens and lists them. */
export function openingMethods(offered: JsonObject, tools: readonly JsonObject[]) {
  const list: [string, Method] = ["tools/list", () => ({ tools: [...tools], ...cacheHints.fixed })];
  const initialize: Method = ({ params }) => {
    const asked = params["protocolVersion"];
    const protocolVersion = isLegacy(asked) ? asked : legacyRevisions[0];
    return { protocolVersion, capabilities: offered, serverInfo, instructions };
  };
  const discover: Method = () => ({
    supportedVersions: [...modernRevisions],
    capabilities: {
      ...offered,
      extensions: { ...objectAt(offered, "extensions"), [tasksExtension]: {} },
    },
    instructions,
    ...cacheHints.fixed,
  });
  return {
    legacy: new Map<string, Method>([
      ["initialize", initialize],
      ["ping", () => ({})],
      // Log messages are of runs, and stand in their records.
      ["logging/setLevel", () => ({})],
      list,
    ]),
    modern: new Map<string, Method>([["server/discover", discover], list]),
  };
}

const common: [string, Method][] = [
  ["tools/call", callTool],
  ["resources/list", listResources],
  ["resources/templates/list", listResourceTemplates],
  ["resources/read", readResource],
];

const tasks: [string, Method][] = [
  ["tools/call", callToolOrTask],
  ["tasks/get", getTask],
  ["tasks/update", updateTask],
  ["tasks/cancel", cancelTask],
];

const opening = openingMethods(capabilities, listedTools);

/** What people's clients see. */
export const productSurface: Surface = {
  methods: {
    legacy: new Map([...opening.legacy, ...common]),
    modern: new Map([...opening.modern, ...common, ...tasks]),
  },
  headersOfTool: () => new Map(),
};
