export const attempt = {
  tries: "to return 50 MB",
  refusedBecause: "an output has a size",
  limits: { memoryBytes: 201326592 },
  ends: { code: "output_too_large" },
};

export default () => "x".repeat(50e6);
