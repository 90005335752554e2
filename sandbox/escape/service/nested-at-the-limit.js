export const attempt = {
  tries: "to store an output at the maximum depth, which breaks its readers",
  blockedBecause: "readers support the maximum depth",
  hasKey: true,
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 990; i++) deep = { deep };
  return { deep, is: "refused" };
};
