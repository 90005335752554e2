export const attempt = {
  tries: "to make the service buffer a line of 40 MB",
  blockedBecause: "lines are truncated to 65,536 characters",
  limits: { memoryBytes: 201326592 },
  ends: { says: "said" },
};

export default () => {
  console.log("x".repeat(40e6));
  return "said";
};
