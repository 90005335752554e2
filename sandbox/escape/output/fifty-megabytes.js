export const attempt = {
  tries: "to return 50 MB",
  blockedBecause: "the size of an output is limited",
  limits: { memoryBytes: 201326592 },
  ends: { code: "output_too_large" },
};

export default () => "x".repeat(50e6);
