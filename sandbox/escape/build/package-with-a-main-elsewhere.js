import value from "evil-with-a-main-elsewhere";

export const attempt = {
  tries: "to take in a file by the main of a package",
  refusedBecause: "where a name leads is looked at, whatever led there",
  packages: {
    "evil-with-a-main-elsewhere": {
      manifest: { type: "module", main: "../../../../secret.js", module: "../../../../secret.js" },
      files: { "index.js": "export default 1;" },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
