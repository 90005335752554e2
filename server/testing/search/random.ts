/** Park and Miller's generator: the same numbers from 0 to 1 in each run. */
export function createRandom(): () => number {
  let state = 42;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
