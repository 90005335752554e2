export const attempt = {
  tries: "to leave something in process.env for another user",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = process.env.LEFT !== undefined;
  process.env.LEFT = "left";
  return was ? "got through" : "nothing was left";
};
