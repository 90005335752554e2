export const attempt = {
  tries: "to leave something for its next run, though it asks for fresh isolates",
  refusedBecause: "each run has an isolate of its own",
  runs: [{}, {}, {}, {}],
  isolation: "fresh",
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
