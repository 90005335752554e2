export const attempt = {
  tries: "to flood the log",
  blockedBecause: "the log size is limited, and the rest is dropped at the source",
  limits: { logBytes: 3, cpuMs: 10000 },
  logs: ["x", "x", "x"],
  ends: { says: "said" },
};

export default () => {
  for (let i = 0; i < 1e5; i++) console.log("x");
  return "said";
};
