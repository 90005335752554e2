export const attempt = {
  tries: "to leave something in process.env for another user",
  refusedBecause: "each user has an isolate of their own",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = process.env.LEFT !== undefined;
  process.env.LEFT = "left";
  return was ? "got through" : "nothing was left";
};
