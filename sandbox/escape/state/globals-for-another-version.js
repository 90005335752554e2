export const attempt = {
  tries: "to leave something in a global for another version",
  refusedBecause: "each version has an isolate of its own",
  runs: [{}, { version: 2 }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = globalThis.left !== undefined;
  globalThis.left = "left";
  return was ? "got through" : "nothing was left";
};
