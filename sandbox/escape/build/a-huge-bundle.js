import big from "big-one";

export const attempt = {
  tries: "to save a tool over the size limit",
  blockedBecause: "the size of a tool is limited",
  packages: {
    "big-one": {
      manifest: { type: "module" },
      files: { "index.js": 'export default "VERY_LONG";' },
    },
  },
  refused: "larger than|bytes",
};

export default () => ({ length: big.length });
