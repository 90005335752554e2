export const attempt = {
  tries: "to leave something in a global for another user",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
