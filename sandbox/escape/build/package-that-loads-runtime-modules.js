import value from "evil-that-loads-the-engine";

export const attempt = {
  tries: "to import runtime modules with a name that a package computes",
  blockedBecause: "the modules that it finds do nothing",
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
