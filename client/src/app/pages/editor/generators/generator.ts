import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Box } from '../../../../core/scene/zones/definition.ts';
import type { ZoneOf } from '../../../../core/scene/zones.ts';
import type { DataContext } from '../panels/binding-field.tsx';

export interface SettingsFieldsProps<Settings> {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
  /** The table beside the layout. */
  readonly data: DataContext;
}

/** Makes zones from settings. What is made is ordinary content, which follows the settings until it is changed. */
export interface Generator<Settings = unknown> {
  readonly id: string;
  /** Name of what it makes, as the section of its settings is headed. */
  readonly name: string;
  /** Label of the command that begins with it. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Settings to begin with. */
  readonly first: Settings;
  make(box: Box, settings: Settings, newId: () => string): ZoneOf<'container'>;
  readonly Fields: ComponentType<SettingsFieldsProps<Settings>>;
}

/** A generator among others, whose settings the compiler cannot tell. */
export const anyGenerator = <Settings>(generator: Generator<Settings>): Generator =>
  generator as unknown as Generator;
