export const attempt = {
  tries: "to store an output that overflows the stack of its readers",
  blockedBecause: "output may be nested at most 1,000 levels deep",
  ends: { code: "invalid_output", message: "nested" },
  hasKey: true,
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 1500; i++) deep = { deep };
  return deep;
};
