import value from "evil-with-a-map-of-names";

export const attempt = {
  tries: "to bundle a file with the exports field of a package",
  blockedBecause: "the resolved path is checked, however it was specified",
  packages: {
    "evil-with-a-map-of-names": {
      manifest: { type: "module", browser: { harmless: "/etc/passwd" } },
      files: { "index.js": 'export { default } from "harmless";' },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
