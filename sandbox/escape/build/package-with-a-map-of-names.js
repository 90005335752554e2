import value from "evil-with-a-map-of-names";

export const attempt = {
  tries: "to take in a file by the map of names of a package",
  refusedBecause: "where a name leads is looked at, whatever led there",
  packages: {
    "evil-with-a-map-of-names": {
      manifest: { type: "module", browser: { harmless: "/etc/passwd" } },
      files: { "index.js": 'export { default } from "harmless";' },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
