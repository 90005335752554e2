/** The value of a key that may come from elsewhere, and must not find what every object inherits, such as `constructor`. */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
