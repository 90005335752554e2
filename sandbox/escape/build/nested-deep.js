export const attempt = {
  tries: "to end the builder by code that is nested 400,000 deep",
  refusedBecause: "the builder is started again, and the code that ended it is refused",
  refused: "nested too deeply",
};

export default DEEPLY_NESTED;
