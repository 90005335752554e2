export const attempt = {
  tries: "to have an output kept that overflows whoever reads it",
  refusedBecause: "an output may be nested 1,000 deep",
  ends: { code: "invalid_output", message: "nested" },
  hasKey: true,
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 1500; i++) deep = { deep };
  return deep;
};
