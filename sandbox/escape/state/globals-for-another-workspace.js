export const attempt = {
  tries: "to leave something in a global for another workspace",
  blockedBecause: "each workspace has separate processes",
  runs: [{}, { workspace: "another workspace" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
