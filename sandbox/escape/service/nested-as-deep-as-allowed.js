export const attempt = {
  tries: "to have an output kept that is just as deep as allowed, and breaks whoever reads it",
  refusedBecause: "who reads it gets so far",
  hasKey: true,
};

export default () => {
  let deep = 1;
  for (let i = 0; i < 990; i++) deep = { deep };
  return { deep, is: "refused" };
};
