import value from "evil-that-names-an-address";

export const attempt = {
  tries: "to have the service ask an address of its own network while it installs",
  refusedBecause: "packages come from the registry alone",
  packages: {
    "evil-that-names-an-address": {
      manifest: { type: "module", dependencies: { inner: "{registry}/stolen.tgz" } },
      files: { "index.js": 'export { default } from "inner";' },
    },
  },
  refused: "cannot be installed",
};

export default () => ({ is: "refused", value });
