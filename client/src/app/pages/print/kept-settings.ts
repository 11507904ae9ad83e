import { useCallback, useState } from 'react';
import {
  DEFAULT_PRINT_SETTINGS,
  type PrintSettings,
  printSettingsSchema,
} from '../../../core/imposition/settings.ts';
import { sessionUser } from '../../../data/account/session.ts';

/** Local storage's key of how somebody last printed a project in this browser. */
const keyOf = (project: string): string => `tuckbox-print:${sessionUser()?.uid ?? ''}/${project}`;

function read(project: string): PrintSettings {
  try {
    const stored = printSettingsSchema.safeParse(JSON.parse(localStorage.getItem(keyOf(project)) ?? 'null'));
    return stored.success ? stored.data : DEFAULT_PRINT_SETTINGS;
  } catch {
    return DEFAULT_PRINT_SETTINGS;
  }
}

/** Print settings of a project as last set in this browser. */
export function useKeptSettings(project: string): [PrintSettings, (settings: PrintSettings) => void] {
  const [settings, setSettings] = useState(() => read(project));
  const keep = useCallback(
    (next: PrintSettings) => {
      setSettings(next);
      try {
        localStorage.setItem(keyOf(project), JSON.stringify(next));
      } catch {
        // A browser that keeps nothing begins with the usual settings.
      }
    },
    [project],
  );
  return [settings, keep];
}
