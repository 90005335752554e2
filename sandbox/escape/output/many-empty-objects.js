export const attempt = {
  tries: "to return 1.9 million empty objects",
  refusedBecause: "an output may hold a number of arrays and objects",
  limits: { outputBytes: 6291456, memoryBytes: 268435456 },
  ends: { code: "output_too_large", message: "names and values|arrays and objects" },
};

export default () => Array.from({ length: 1900000 }, () => ({}));
