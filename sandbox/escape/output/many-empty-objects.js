export const attempt = {
  tries: "to return 1.9 million empty objects",
  blockedBecause: "the number of arrays and objects in an output is limited",
  limits: { outputBytes: 6291456, memoryBytes: 268435456 },
  ends: { code: "output_too_large", message: "names and values|arrays and objects" },
};

export default () => Array.from({ length: 1900000 }, () => ({}));
