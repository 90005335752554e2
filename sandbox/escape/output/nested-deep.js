export const attempt = {
  tries: "to return an object that is nested 100,000 deep",
  refusedBecause: "nothing nested deeper than 1,000 is taken",
  ends: { code: "invalid_output" },
};

export default () => {
  let deep = {};
  for (let i = 0; i < 1e5; i++) deep = { deep };
  return deep;
};
