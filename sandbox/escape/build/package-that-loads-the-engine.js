import value from "evil-that-loads-the-engine";

export const attempt = {
  tries: "to reach modules of the engine by a name that a package computes",
  refusedBecause: "what it finds there leads nowhere",
  packages: {
    "evil-that-loads-the-engine": {
      manifest: { type: "module" },
      files: {
        "index.js":
          'const name = "cloudflare:workers";\nconst { env, exports } = await LOAD(name);\nexport default [Object.keys(env), Object.keys(exports)];',
      },
    },
  },
  ends: { says: '\\[\\[\\],\\["default"\\]\\]' },
};

export default () => ({ is: "refused", value });
