import value from "evil-nested-deep";

export const attempt = {
  tries: "to crash the builder with a package nested 500,000 levels deep",
  blockedBecause: "the builder is restarted, and the code that crashed it is rejected",
  packages: {
    "evil-nested-deep": {
      manifest: { type: "module" },
      files: { "index.js": "export default DEEPLY_NESTED;" },
    },
  },
  refused: "nested too deeply",
};

export default () => ({ is: "refused", value });
