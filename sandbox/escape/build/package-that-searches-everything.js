import find from "evil-that-searches-everything";

export const attempt = {
  tries: "to keep the bundler at work with patterns that match all of the disk",
  refusedBecause: "a build sees no disk but its own packages",
  packages: {
    "evil-that-searches-everything": { files: { "index.js": "SEARCHES" } },
  },
  mayBeSaved: true,
  ends: { code: "tool_error" },
};

export default () => ({ was: find("") });
