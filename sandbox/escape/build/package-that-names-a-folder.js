import value from "evil-that-names-a-folder";

export const attempt = {
  tries: "to have a folder of this machine installed",
  refusedBecause: "packages come from the registry alone",
  packages: {
    "evil-that-names-a-folder": {
      manifest: { type: "module", dependencies: { inner: "file:/etc" } },
      files: { "index.js": 'export { default } from "inner/passwd";' },
    },
  },
  refused: "cannot be installed|not allowed|resolve",
};

export default () => ({ is: "refused", value });
