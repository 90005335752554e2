import big from "big-one";

export const attempt = {
  tries: "to save a tool larger than allowed",
  refusedBecause: "a tool has a size",
  packages: {
    "big-one": {
      manifest: { type: "module" },
      files: { "index.js": 'export default "VERY_LONG";' },
    },
  },
  refused: "larger than|bytes",
};

export default () => ({ length: big.length });
