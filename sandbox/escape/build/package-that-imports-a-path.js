import value from "evil-that-imports-a-path";

export const attempt = {
  tries: "to take in a file through a package that names it",
  refusedBecause: "what a package names stays within its folder",
  packages: {
    "evil-that-imports-a-path": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "/etc/passwd";' },
    },
  },
  refused: "not allowed",
};

export default () => ({ is: "refused", value });
