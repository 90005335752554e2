export const attempt = {
  tries: "to leave something in a global for another version",
  blockedBecause: "each version has a separate isolate",
  runs: [{}, { version: 2 }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
