import value from "evil-that-names-a-folder";

export const attempt = {
  tries: "to install a folder of this machine",
  blockedBecause: "packages are installed only from the registry",
  packages: {
    "evil-that-names-a-folder": {
      manifest: { type: "module", dependencies: { inner: "file:/etc" } },
      files: { "index.js": 'export { default } from "inner/passwd";' },
    },
  },
  refused: "cannot be installed|not allowed|resolve",
};

export default () => ({ is: "refused", value });
