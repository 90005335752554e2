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

/** The server capabilities of the product. */
export const capabilities: JsonObject = { tools: {}, resources: {} };

/** The six broker tools as `tools/list` returns them. */
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

/** The methods of each era with which a client discovers these capabilities and tools. */
export function discoveryMethods(offered: JsonObject, tools: readonly JsonObject[]) {
  // A tool with an output schema must return structured content.
  const textTools = tools.map((tool) => {
    const { outputSchema: _, ...rest } = tool;
    return rest;
  });
  const listTools: Method = ({ results }) => {
    const listed = results === "text" ? textTools : tools;
    return { tools: [...listed], ...cacheHints.fixed };
  };
  const list: [string, Method] = ["tools/list", listTools];
  const initialize: Method = ({ params }) => {
    const requested = params["protocolVersion"];
    const protocolVersion = isLegacy(requested) ? requested : legacyRevisions[0];
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
      // Logs belong to runs and are not sent over MCP, so the level has no effect.
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

const discovery = discoveryMethods(capabilities, listedTools);

/** The surface of the product. */
export const productSurface: Surface = {
  methods: {
    legacy: new Map([...discovery.legacy, ...common]),
    modern: new Map([...discovery.modern, ...common, ...tasks]),
  },
  headersOfTool: () => new Map(),
};
