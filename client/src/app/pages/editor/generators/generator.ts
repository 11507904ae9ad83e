import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Box } from '../../../../core/scene/zones/definition.ts';
import type { Zone } from '../../../../core/scene/zones.ts';
import type { DataContext } from '../panels/fields/binding-field.tsx';
import type { EditorModel } from '../state/editor-store.ts';

export interface SettingsFieldsProps<Settings> {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
  readonly model: EditorModel;
  /** The zone that was made, as it is now. */
  readonly zone: Zone;
  /** The table beside the layout. */
  readonly data: DataContext;
}

/** Makes a zone, or a group of them, from settings. What is made is ordinary content, which follows the settings until it is changed. */
export interface Generator<Settings = unknown> {
  readonly id: string;
  /** Name of what it makes, as the section of its settings is headed. */
  readonly name: string;
  /** Label of the command that begins with it. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Settings to begin with. */
  readonly first: Settings;
  /** Those to begin with in a box, where its size matters. */
  firstIn?(box: Box): Settings;
  /** Properties of the zone that follow the settings; the zones of a group when missing. The others are its user's. */
  readonly makes?: readonly string[];
  make(box: Box, settings: Settings, newId: () => string): Zone;
  readonly Fields: ComponentType<SettingsFieldsProps<Settings>>;
}

/** A generator among others, whose settings the compiler cannot tell. */
export const anyGenerator = <Settings>(generator: Generator<Settings>): Generator =>
  generator as unknown as Generator;
