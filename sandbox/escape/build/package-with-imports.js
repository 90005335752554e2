import value from "evil-with-imports";

export const attempt = {
  tries: "to bundle a file with the imports field of a package",
  blockedBecause: "the resolved path is checked, however it was specified",
  packages: {
    "evil-with-imports": {
      manifest: { type: "module", imports: { "#secret": "./../../../../secret.js" } },
      files: { "index.js": 'export { default } from "#secret";' },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
