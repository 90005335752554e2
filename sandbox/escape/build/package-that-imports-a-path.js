import value from "evil-that-imports-a-path";

export const attempt = {
  tries: "to bundle a file with a package that imports its path",
  blockedBecause: "paths in a package cannot leave its folder",
  packages: {
    "evil-that-imports-a-path": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "/etc/passwd";' },
    },
  },
  refused: "not allowed",
};

export default () => ({ is: "refused", value });
