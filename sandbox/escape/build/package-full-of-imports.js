import value from "evil-full-of-imports";

export const attempt = {
  tries: "to hold the service by a package whose text looks like a million imports",
  refusedBecause: "no more than 2,000 of them are looked at",
  packages: {
    "evil-full-of-imports": {
      manifest: { type: "module" },
      files: { "index.js": "export default `IMPORTS_IN_TEXT`;" },
    },
  },
  refused: "computed path",
};

export default () => ({ is: "refused", value });
