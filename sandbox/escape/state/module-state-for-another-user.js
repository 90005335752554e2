export const attempt = {
  tries: "to leave something in its module for another user",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

let left;
export default () => {
  const was = left !== undefined;
  left = "left";
  return was ? "got through" : "nothing was left";
};
