import { useEffect, useRef } from 'react';

/** Elements that handle the space bar themselves. */
const OWN_SPACE = 'button, a, input, select, textarea';
/** Elements that handle letters themselves, and those that handle the arrow keys. */
const OWN_LETTERS = 'input, select, textarea, dialog, [role=menu], [role=dialog]';
const OWN_ARROWS = `${OWN_LETTERS}, [role=tab]`;

/** Calls what belongs to a key, named in small letters, unless whatever has the focus wants the key for itself. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
      if (event.target.closest(event.key.startsWith('Arrow') ? OWN_ARROWS : OWN_LETTERS)) return;
      if (event.key === ' ' && event.target.closest(OWN_SPACE)) return;
      const key = event.key.toLowerCase();
      const run = Object.hasOwn(latest.current, key) ? latest.current[key] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
