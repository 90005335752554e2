export const attempt = {
  tries: "to leave something for its next run in spite of fresh isolates",
  blockedBecause: "each run has a separate isolate",
  runs: [{}, {}, {}, {}],
  isolation: "fresh",
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
