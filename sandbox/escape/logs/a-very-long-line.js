export const attempt = {
  tries: "to have the service hold a line of 40 MB",
  refusedBecause: "a line has 65,536 characters",
  limits: { memoryBytes: 201326592 },
  ends: { says: "said" },
};

export default () => {
  console.log("x".repeat(40e6));
  return "said";
};
