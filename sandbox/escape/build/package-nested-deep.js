import value from "evil-nested-deep";

export const attempt = {
  tries: "to end the builder by a package that is nested 500,000 deep",
  refusedBecause: "the builder is started again, and the code that ended it is refused",
  packages: {
    "evil-nested-deep": {
      manifest: { type: "module" },
      files: { "index.js": "export default DEEPLY_NESTED;" },
    },
  },
  refused: "nested too deeply",
};

export default () => ({ is: "refused", value });
