import value from "evil-that-climbs";

export const attempt = {
  tries: "to bundle a file with a package that leaves its folder",
  blockedBecause: "paths in a package cannot leave its folder",
  packages: {
    "evil-that-climbs": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "../../../../secret.js";' },
    },
  },
  refused: "not allowed",
};

export default () => ({ is: "refused", value });
