import { useCallback, useState } from 'react';
import {
  DEFAULT_PRINT_SETTINGS,
  type PrintSettings,
  printSettingsSchema,
} from '../../../core/imposition/settings.ts';
import { sessionUser } from '../../../data/session.ts';

/** Local storage's key of how somebody last printed a project in this browser. */
const keyOf = (deck: string): string => `tuckbox-print:${sessionUser()?.uid ?? ''}/${deck}`;

function read(deck: string): PrintSettings {
  try {
    const stored = printSettingsSchema.safeParse(JSON.parse(localStorage.getItem(keyOf(deck)) ?? 'null'));
    return stored.success ? stored.data : DEFAULT_PRINT_SETTINGS;
  } catch {
    return DEFAULT_PRINT_SETTINGS;
  }
}

/** How a project is printed: as it was set last in this browser. */
export function useKeptSettings(deck: string): [PrintSettings, (settings: PrintSettings) => void] {
  const [settings, setSettings] = useState(() => read(deck));
  const keep = useCallback(
    (next: PrintSettings) => {
      setSettings(next);
      try {
        localStorage.setItem(keyOf(deck), JSON.stringify(next));
      } catch {
        // A browser that keeps nothing begins with the usual settings.
      }
    },
    [deck],
  );
  return [settings, keep];
}
