export const attempt = {
  tries: "to leave something in a global for another user",
  refusedBecause: "each user has an isolate of their own",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
