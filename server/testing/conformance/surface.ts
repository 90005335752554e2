import type { JsonObject } from "@toolhost/contract";
import {
  capabilities,
  listedTools,
  discoveryMethods,
  productSurface,
} from "../../src/mcp/product-surface.ts";
import { cacheHints } from "../../src/mcp/revisions.ts";
import type { Method, Surface } from "../../src/mcp/surface.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { fixtureResources, readFixture } from "./resources.ts";
import { schemas } from "./schemas.ts";
import { fixtureTools } from "./tools.ts";

const offeredCapabilities: JsonObject = {
  ...capabilities,
  prompts: {},
  completions: {},
  logging: {},
};

// Fixtures first: the suite calls the first tool in the list, which must work without a key.
const tools: readonly JsonObject[] = [
  ...Object.keys(fixtureTools).map((name) => ({
    name,
    description: name,
    inputSchema: schemas[name] ?? { type: "object" },
  })),
  ...listedTools,
];

/** Tries the fixtures first, then the product's method. */
function withFixtures(method: string, fixture: Method): [string, Method] {
  const product = productSurface.methods.legacy.get(method);
  return [
    method,
    async (request) => {
      const result = await fixture(request);
      if (Object.keys(result).length > 0 || product === undefined) return result;
      return product(request);
    },
  ];
}

const common: [string, Method][] = [
  withFixtures("tools/call", (request) => {
    const { name } = request.params;
    const isFixture = typeof name === "string" && Object.hasOwn(fixtureTools, name);
    return (isFixture ? fixtureTools[name]?.(request) : undefined) ?? {};
  }),
  withFixtures("resources/read", ({ params }) => {
    const found = readFixture(params["uri"]);
    return found === undefined ? {} : { contents: [found], ...cacheHints.fixed };
  }),
  ["resources/list", () => ({ resources: [...fixtureResources], ...cacheHints.fixed })],
  ["prompts/list", listPrompts],
  ["prompts/get", getPrompt],
  [
    "completion/complete",
    () => ({ completion: { values: ["paris", "park", "party"], total: 3, hasMore: false } }),
  ],
];

const subscribing: [string, Method][] = ["resources/subscribe", "resources/unsubscribe"].map(
  (method) => [method, () => ({})],
);

const discovery = discoveryMethods(offeredCapabilities, tools);

/** The product's surface, plus the fixtures of the conformance suite. */
export const conformanceSurface: Surface = {
  methods: {
    legacy: new Map([
      ...productSurface.methods.legacy,
      ...discovery.legacy,
      ...common,
      ...subscribing,
    ]),
    modern: new Map([...productSurface.methods.modern, ...discovery.modern, ...common]),
  },
  headersOfTool: (name) => new Map(name === "test_x_mcp_header" ? [["region", "region"]] : []),
};
