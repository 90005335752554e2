export const attempt = {
  tries: "to return an object nested 100,000 levels deep",
  blockedBecause: "output nested deeper than 1,000 levels is rejected",
  ends: { code: "invalid_output" },
};

export default () => {
  let deep = {};
  for (let i = 0; i < 1e5; i++) deep = { deep };
  return deep;
};
