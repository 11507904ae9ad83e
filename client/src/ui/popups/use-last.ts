import { useState } from 'react';

/** The value, or the last one once there is none: a popup goes on showing what it held while it closes. */
export function useLast<T>(value: T | null | undefined): T | undefined {
  const [last, setLast] = useState(value ?? undefined);
  if (value !== null && value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
