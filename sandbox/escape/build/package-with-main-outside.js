import value from "evil-with-a-main-elsewhere";

export const attempt = {
  tries: "to bundle a file with the main field of a package",
  blockedBecause: "the resolved path is checked, however it was specified",
  packages: {
    "evil-with-a-main-elsewhere": {
      manifest: { type: "module", main: "../../../../secret.js", module: "../../../../secret.js" },
      files: { "index.js": "export default 1;" },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
