export const attempt = {
  tries: "to return more text than a string can hold",
  blockedBecause: "it is treated as too large",
  ends: { code: "output_too_large|memory_limit" },
};

export default () => {
  const text = "x".repeat(1e6);
  return Array.from({ length: 600 }, () => text);
};
