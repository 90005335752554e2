import { useEffect, useState } from "react";

/** The value once it has stayed the same for `delayMs`, to avoid a request per keystroke. */
export function useDebouncedValue<Value>(value: Value, delayMs = 160): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
