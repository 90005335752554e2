/** A secret that a run may use without seeing it. */
export type Secret = {
  name: string;
  /** What the tool sees instead: random and unique to this run. Letters, digits and `_`. */
  placeholder: string;
  value: string;
  /** Lists of hosts. A host receives the value only if every list allows it. */
  hosts: readonly (readonly string[])[];
  /** The tool's code sees the value, so requests to other hosts are searched for it. */
  isExposed?: boolean;
};

/** Called before each request, for values that are refreshed while a run is in progress. */
export type SecretSource = () => Promise<readonly Secret[]>;
