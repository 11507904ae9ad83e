import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ZoneKind, ZoneOf } from '../../../../core/scene/zones.ts';
import type { DataContext } from '../panels/fields/binding-field.tsx';
import type { EditorModel } from '../state/editor-store.ts';

/** Input of the properties of one zone. */
export interface ZoneFieldsProps<K extends ZoneKind> {
  readonly zone: ZoneOf<K>;
  readonly model: EditorModel;
  readonly data: DataContext;
}

/** The editor's side of one kind of zone. */
export interface ZonePart<K extends ZoneKind> {
  /** Name of the kind, for users. */
  readonly label: string;
  readonly icon: LucideIcon;
  /**
   * The command that adds a zone; `inBar` gives it a button of its own instead of a line of the menu beside them. The key
   * lets the pointer draw one.
   */
  readonly add: { readonly label: string; readonly key?: string; readonly inBar: boolean };
  /** Width and height of a new zone as shares of the card. */
  readonly newSize: readonly [number, number];
  /** Gives a new zone its first content. */
  readonly fill: (zone: ZoneOf<K>, newId: () => string) => void;
  /** Properties of this kind that data can drive, by path, in words. */
  readonly driven: readonly (readonly [path: string, name: string])[];
  /** True if the fields of the kind set its corners themselves. */
  readonly ownCorners: boolean;
  /** Properties of the kind, in the inspector. */
  readonly Fields: ComponentType<ZoneFieldsProps<K>>;
}
