import fs from "node:fs";

export const attempt = {
  tries: "to leave a file in memory for another user",
  blockedBecause: "each user has a separate isolate",
  runs: [{}, { user: "alice" }],
  ends: { says: "nothing was left" },
};

export default () => {
  const was = fs.existsSync("/tmp/left");
  fs.writeFileSync("/tmp/left", "left");
  return was ? "got through" : "nothing was left";
};
