import find from "evil-that-searches-everything";

export const attempt = {
  tries: "to keep the bundler busy with patterns that match the whole disk",
  blockedBecause: "a build can access only its own packages",
  packages: {
    "evil-that-searches-everything": { files: { "index.js": "SEARCHES" } },
  },
  mayBeSaved: true,
  ends: { code: "tool_error" },
};

export default () => ({ was: find("") });
