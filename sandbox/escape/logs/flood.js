export const attempt = {
  tries: "to fill the log",
  refusedBecause: "a log has a size; the rest is dropped where it is written",
  limits: { logBytes: 3, cpuMs: 10000 },
  logs: ["x", "x", "x"],
  ends: { says: "said" },
};

export default () => {
  for (let i = 0; i < 1e5; i++) console.log("x");
  return "said";
};
