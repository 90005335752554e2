import value from "evil-that-climbs";

export const attempt = {
  tries: "to take in a file through a package that climbs out of its folder",
  refusedBecause: "what a package names stays within its folder",
  packages: {
    "evil-that-climbs": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "../../../../secret.js";' },
    },
  },
  refused: "not allowed",
};

export default () => ({ is: "refused", value });
