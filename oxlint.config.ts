import { defineConfig } from "oxlint";
import { floors } from "./server/src/core/floors.ts";

export default defineConfig({
  plugins: [
    "typescript",
    "unicorn",
    "oxc",
    "import",
    "promise",
    "node",
    "vitest",
    "react",
    "jsx-a11y",
  ],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["**/*.d.ts", "starter-tools/node_modules", "sandbox/escape/*/*.js"],
  rules: {
    "max-lines": ["error", { max: 300, skipBlankLines: false, skipComments: false }],
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    "import/no-cycle": ["error", { ignoreTypes: true }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-definitions": ["error", "type"],
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    // What our own code wrote as JSON is read back as what it was.
    "typescript/no-unsafe-type-assertion": "off",
    // One after the other is often the point.
    "no-await-in-loop": "off",
    // A last then() has nothing to return.
    "promise/always-return": "off",
    // A copy costs less than a changed original.
    "oxc/no-map-spread": "off",
    // The compiler puts it there.
    "react/react-in-jsx-scope": "off",
    // `output` and `dialog` have looks and ways of their own.
    "jsx-a11y/prefer-tag-over-role": "off",
    // About a compiler that is not used here.
    "react/incompatible-library": "off",
    // pg is CommonJS: its names come with its default.
    "import/no-named-as-default-member": "off",
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-console": "error",
  },
  overrides: [
    {
      files: ["**/*.test.ts"],
      rules: {
        "max-lines": "off",
        "max-lines-per-function": "off",
        // `checkWidth` and the like fail by themselves.
        "vitest/expect-expect": [
          "error",
          { assertFunctionNames: ["expect", "expect*", "check*", "close"] },
        ],
        "vitest/no-conditional-tests": "off",
        "unicorn/consistent-function-scoping": "off",
      },
    },
    {
      files: ["e2e/**"],
      rules: {
        // Over the network a failure is understood only with the response beside it.
        "vitest/valid-expect": ["error", { maxArgs: 2 }],
        // A table's rows and the two databases may differ in more than one valid way.
        "vitest/no-conditional-expect": "off",
        // Invariants after every hostile request are checked in `afterEach`.
        "vitest/no-standalone-expect": ["error", { additionalTestBlockFunctions: ["afterEach"] }],
      },
    },
    {
      // A tool's console is its log, which people read beside the run.
      files: ["starter-tools/*/tool.ts", "starter-tools/*/tool.js"],
      rules: { "no-console": "off" },
    },
    ...floors.flatMap((modules, floor) => modules.flatMap((name) => moduleRules(name, floor))),
    {
      // A test sets up what it needs through any module.
      files: ["server/src/core/**/*.test.ts"],
      rules: { "no-restricted-imports": "off" },
    },
    {
      files: ["server/src/rest/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#db", "@toolhost/sandbox", "kysely"],
                message: "A door calls the core.",
              },
              { group: ["#mcp", "#oauth", "#bot"], message: "A door does not call another." },
              { group: ["../**"], message: "Reach another folder by its name." },
            ],
          },
        ],
      },
    },
    {
      files: ["server/src/console/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#db", "#core/*", "@toolhost/sandbox", "kysely"],
                message: "It hands out files; what they show comes by REST.",
              },
              { group: ["#mcp", "#oauth", "#bot"], message: "A door does not call another." },
            ],
          },
        ],
      },
    },
    {
      files: ["server/src/mcp/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#db", "@toolhost/sandbox", "kysely"],
                message: "A door calls the core.",
              },
              { group: ["#oauth", "#bot"], message: "A door does not call another." },
            ],
          },
        ],
      },
    },
    {
      files: ["server/src/bot/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#db", "@toolhost/sandbox", "kysely"],
                message: "A door calls the core.",
              },
              { group: ["#mcp", "#oauth"], message: "A door does not call another." },
            ],
          },
        ],
      },
    },
    {
      files: ["server/src/db/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#core/*", "#rest", "#mcp", "#oauth", "#bot", "@toolhost/sandbox"],
                message: "The database layer knows only lib.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["server/src/lib/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["#core/*", "#rest", "#db", "#config", "@toolhost/*"],
                message: "lib knows no product word.",
              },
              { group: ["../**"], message: "Reach another folder by its name." },
            ],
          },
        ],
      },
    },
    {
      files: ["sandbox/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["@toolhost/*", "#*"], message: "The sandbox knows nothing of ours." },
            ],
          },
        ],
      },
    },
    {
      files: ["tool-schema/src/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            paths: [
              {
                name: "@toolhost/contract",
                allowTypeImports: true,
                message:
                  "It runs in browsers and on the server, and imports only types of the contract.",
              },
            ],
            patterns: [
              {
                group: ["node:*", "@toolhost/*", "!@toolhost/contract", "#*"],
                message:
                  "It runs in browsers and on the server, and imports only types of the contract.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["ui/src/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["node:*", "esbuild", "@toolhost/*", "!@toolhost/tool-schema", "#*"],
                message: "It runs in browsers and imports only the schema code.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["console/src/**"],
      rules: {
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "monaco-editor/**"] }],
        // The compiler knows when a switch leaves nothing out.
        "typescript/consistent-return": "off",
        "max-lines-per-function": ["error", { max: 100, skipBlankLines: true, skipComments: true }],
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["node:*", "@toolhost/sandbox", "@toolhost/server", "#core/*", "#rest"],
                message: "It runs in browsers, and knows the REST API alone.",
              },
              {
                group: ["@toolhost/contract"],
                allowTypeImports: true,
                message: "Shapes are compiled away; their checks are the service's.",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["contract/src/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["@toolhost/*", "#*", "node:*"],
                message: "The contract imports zod and nothing else.",
              },
            ],
          },
        ],
      },
    },
  ],
});

/** What a module of the core may import: lower floors by their names, and its own files by their paths. */
function moduleRules(name: string, floor: number) {
  const patterns = [
    {
      group: ["#rest", "#mcp", "#oauth", "#bot", "hono", "hono/*", "@hono/*"],
      message: "The core does not know the interfaces.",
    },
    {
      group: [...floors.slice(floor).flat(), "context"].map((module) => `#core/${module}`),
      message: "A module uses lower floors only; see server/src/core/floors.ts.",
    },
  ];
  const message = "Import another module by its name.";
  const rules = (outside: string) => ({
    "no-restricted-imports": [
      "error" as const,
      { patterns: [...patterns, { group: [outside], message }] },
    ],
  });
  return [
    { files: [`server/src/core/${name}/*/**`], rules: rules("../../**") },
    { files: [`server/src/core/${name}/*.ts`], rules: rules("../**") },
  ];
}
