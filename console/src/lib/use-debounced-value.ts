import { useEffect, useState } from "react";

/** A value as it was when it last stayed the same for some time, so that not every key pressed asks the service. */
export function useDebouncedValue<Value>(value: Value, delayMs = 160): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
