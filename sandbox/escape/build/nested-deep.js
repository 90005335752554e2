export const attempt = {
  tries: "to crash the builder with code nested 400,000 levels deep",
  blockedBecause: "the builder is restarted, and the code that crashed it is rejected",
  refused: "nested too deeply",
};

export default DEEPLY_NESTED;
