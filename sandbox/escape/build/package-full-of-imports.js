import value from "evil-full-of-imports";

export const attempt = {
  tries: "to hold the service by a package whose text looks like a million imports",
  refusedBecause: "what it becomes is larger than a bundle may be",
  packages: {
    "evil-full-of-imports": {
      manifest: { type: "module" },
      files: { "index.js": "export default `IMPORTS_IN_TEXT`;" },
    },
  },
  refused: "the bundle is larger",
};

export default () => ({ is: "refused", value });
