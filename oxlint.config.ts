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
    {
      files: ["console/src/**"],
      rules: {
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "monaco-editor/**"] }],
        // The compiler knows when a switch leaves nothing out.
        "typescript/consistent-return": "off",
        "max-lines-per-function": ["error", { max: 100, skipBlankLines: true, skipComments: true }],
      },
    },
    ...importRules,
  ],
});
