import value from "evil-full-of-imports";

export const attempt = {
  tries: "to block the service with a package whose text looks like a million imports",
  blockedBecause: "the bundle exceeds its size limit",
  packages: {
    "evil-full-of-imports": {
      manifest: { type: "module" },
      files: { "index.js": "export default `IMPORTS_IN_TEXT`;" },
    },
  },
  refused: "the bundle is larger",
};

export default () => ({ is: "refused", value });
