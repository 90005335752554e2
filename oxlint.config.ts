import { defineConfig } from "oxlint";
import { importRules } from "./import-rules.ts";

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
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-definitions": ["error", "type"],
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    // JSON that our own code wrote is read with its type.
    "typescript/no-unsafe-type-assertion": "off",
    // Sequential work is often intended.
    "no-await-in-loop": "off",
    // The last `then` of a chain returns nothing.
    "promise/always-return": "off",
    // Copies are preferred to mutation.
    "oxc/no-map-spread": "off",
    // The compiler imports React.
    "react/react-in-jsx-scope": "off",
    // `output` and `dialog` elements bring their own style and behavior.
    "jsx-a11y/prefer-tag-over-role": "off",
    // Concerns the React compiler, which is not used.
    "react/incompatible-library": "off",
    // pg is CommonJS, so its names are members of the default export.
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
        // Helpers such as `checkWidth` contain the expectations.
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
        // The second argument shows the response, without which a failure cannot be understood.
        "vitest/valid-expect": ["error", { maxArgs: 2 }],
        // Rows of a table and the two databases can have different valid results.
        "vitest/no-conditional-expect": "off",
        // Invariants after every hostile request are checked in `afterEach`.
        "vitest/no-standalone-expect": ["error", { additionalTestBlockFunctions: ["afterEach"] }],
      },
    },
    {
      // Benchmarks await at the top level, where a constant below does not exist yet.
      files: ["e2e/bench/**"],
      rules: { "no-use-before-define": ["error", { functions: false, classes: false }] },
    },
    {
      // A tool logs through its console.
      files: ["starter-tools/*/tool.ts", "starter-tools/*/tool.js"],
      rules: { "no-console": "off" },
    },
    {
      files: ["docs/.vitepress/theme/**"],
      rules: { "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }] },
    },
    {
      files: ["console/{src,gallery}/**"],
      rules: {
        "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
        // The compiler checks that a switch is exhaustive.
        "typescript/consistent-return": "off",
        "max-lines-per-function": ["error", { max: 100, skipBlankLines: true, skipComments: true }],
      },
    },
    // A list of names.
    { files: ["contract/src/index.ts"], rules: { "max-lines": "off" } },
    ...importRules,
  ],
});
