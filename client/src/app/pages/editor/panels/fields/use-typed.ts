import { useState } from 'react';

/** Text that is typed over a value and taken as soon as it can be read; what cannot is dropped when the field is left. */
export function useTyped(value: string, take: (text: string) => boolean) {
  const [typed, setTyped] = useState<{ text: string; wrong: boolean }>();
  return {
    text: typed?.text ?? value,
    wrong: typed?.wrong ?? false,
    type(text: string): void {
      setTyped({ text, wrong: !take(text) });
    },
    leave(): void {
      setTyped(undefined);
    },
  };
}
