import { floors } from "./server/src/core/floors.ts";

/** A group of modules that some files may not import, and why. `!` excepts a name from the group. */
type Restriction = ({ group: string[] } | { regex: string }) & {
  message: string;
  allowTypeImports?: boolean;
};

const interfaces = ["#rest", "#mcp", "#oauth", "#bot", "#metrics"];

const callsCore: Restriction = {
  group: ["#db", "@toolhost/sandbox", "kysely"],
  message: "An interface calls the core.",
};
const byName: Restriction = {
  group: ["../**", "./../**"],
  message: "Import another folder by its name.",
};
const noInterfaces: Restriction = {
  group: [...interfaces, "#console", "hono", "hono/*", "@hono/*"],
  message: "The core does not import the interfaces.",
};
/** For folders with folders of their own, whose files may say `../`. */
const otherFoldersByName: Restriction = {
  regex: String.raw`^\.[./]*/(server/src/)?(bot|console|core|db|lib|mcp|metrics|oauth|rest|telemetry)/`,
  message: "Import another folder by its name.",
};

/** Which imports are restricted, by folder. Restrictions apply to `import type` as well, unless one says otherwise. */
const restrictions: Readonly<Record<string, readonly Restriction[]>> = {
  "server/src/rest/**": [callsCore, otherInterfaces("#rest"), byName],
  "server/src/mcp/**": [callsCore, otherInterfaces("#mcp", "#rest"), otherFoldersByName],
  "server/src/oauth/**": [callsCore, otherInterfaces("#oauth", "#rest"), otherFoldersByName],
  "server/src/bot/**": [callsCore, otherInterfaces("#bot", "#rest"), otherFoldersByName],
  "server/src/metrics/**": [callsCore, otherInterfaces(), byName],
  "server/src/console/**": [
    {
      group: ["#db", "#core/*", "@toolhost/sandbox", "kysely"],
      message: "It serves files; the data that they show comes from the REST API.",
    },
    otherInterfaces("#rest"),
    byName,
  ],
  "server/src/db/**": [
    {
      group: ["#core/*", ...interfaces, "#console", "#telemetry", "@toolhost/sandbox"],
      message: "The database layer imports only lib.",
    },
    otherFoldersByName,
  ],
  "server/src/telemetry/**": [
    {
      group: ["#core/*", ...interfaces, "#console", "#db", "@toolhost/*"],
      message: "Telemetry imports only lib and its settings.",
    },
    otherFoldersByName,
  ],
  "server/src/lib/**": [
    {
      group: ["#core/*", ...interfaces, "#console", "#db", "#config", "#telemetry", "@toolhost/*"],
      message: "lib contains nothing specific to the product.",
    },
    byName,
  ],
  "sandbox/**": [
    {
      group: ["@toolhost/*", "#*", "**/../server/**"],
      message: "The sandbox imports nothing from the other workspaces.",
    },
  ],
  "tool-schema/src/**": [
    {
      group: ["node:*", "@toolhost/*", "!@toolhost/contract", "#*"],
      message: "It runs in browsers and on the server, and imports only types of the contract.",
    },
    {
      group: ["@toolhost/contract"],
      allowTypeImports: true,
      message: "It imports only types of the contract.",
    },
  ],
  "sdk/src/**": [
    {
      group: ["node:*", "@toolhost/*", "!@toolhost/tool-schema", "!@toolhost/client", "#*"],
      message: "It runs everywhere. Only `node.ts` imports modules of Node.js.",
    },
  ],
  "ui/src/**": [
    {
      group: ["node:*", "esbuild", "@toolhost/*", "!@toolhost/tool-schema", "#*"],
      message: "It runs in browsers and imports only the schema code.",
    },
  ],
  "console/src/**": [
    {
      group: ["node:*", "@toolhost/sandbox", "@toolhost/server", "#core/*", "#rest"],
      message: "It runs in browsers and uses the REST API.",
    },
    {
      group: ["@toolhost/contract", "!@toolhost/contract/roles"],
      allowTypeImports: true,
      message: "Its schemas would bring zod into the bundle. The service validates.",
    },
  ],
  "contract/src/**": [
    {
      group: ["@toolhost/*", "#*", "node:*"],
      message: "The contract imports only zod.",
    },
  ],
  "contract/src/roles.ts": [
    {
      group: ["*", "./**"],
      allowTypeImports: true,
      message: "The console bundles it, so it imports nothing.",
    },
  ],
};

/** Lint overrides that keep imports on the map: see `restrictions` and `server/src/core/floors.ts`. */
export const importRules = [
  ...Object.entries(restrictions).map(([files, patterns]) => override([files], patterns)),
  // A module that `floors` does not list may import no other; the rules of those that it lists replace this one.
  override(["server/src/core/**"], [noInterfaces, onlyModules([])]),
  override(["server/src/core/context/**"], [noInterfaces]),
  ...floors.flatMap((modules, floor) => modules.flatMap((name) => moduleRules(name, floor))),
  {
    files: ["sdk/src/node.ts", "sdk/src/*.test.ts"],
    rules: { "no-restricted-imports": "off" as const },
  },
  // A test may set up what it needs through any module.
  {
    files: ["server/src/{core,oauth}/**/*.test.ts"],
    rules: { "no-restricted-imports": "off" as const },
  },
];

/** A module of the core imports lower floors by their names, and its own files by their paths. */
function moduleRules(name: string, floor: number) {
  const patterns = [noInterfaces, onlyModules(floors.slice(0, floor).flat())];
  const outside = { ...byName, group: ["../../**", "./../../**"] };
  return [
    override([`server/src/core/${name}/*/**`], [...patterns, outside]),
    override([`server/src/core/${name}/*.ts`], [...patterns, byName]),
  ];
}

function onlyModules(names: readonly string[]): Restriction {
  return {
    group: ["#core/*", ...names.map((name) => `!#core/${name}`)],
    message: "A module imports lower floors only; see server/src/core/floors.ts.",
  };
}

function otherInterfaces(...allowed: string[]): Restriction {
  return {
    group: interfaces.filter((name) => !allowed.includes(name)),
    message: "An interface does not import another.",
  };
}

function override(files: string[], patterns: readonly Restriction[]) {
  return { files, rules: { "no-restricted-imports": ["error" as const, { patterns }] } };
}
