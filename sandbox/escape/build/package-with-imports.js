import value from "evil-with-imports";

export const attempt = {
  tries: "to take in a file by the imports of a package",
  refusedBecause: "where a name leads is looked at, whatever led there",
  packages: {
    "evil-with-imports": {
      manifest: { type: "module", imports: { "#secret": "./../../../../secret.js" } },
      files: { "index.js": 'export { default } from "#secret";' },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
