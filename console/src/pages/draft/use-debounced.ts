import { useEffect, useState } from "react";

/** The value as it was when it last stayed the same for so long. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setShown(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return shown;
}
