import { useEffect } from 'react';
import { useStore } from 'zustand';
import { canonicalJson } from '../../../../core/archive/stable-json.ts';
import { fingerprint } from '../../../../core/imposition/job/fingerprint.ts';
import { sessionUser } from '../../../../data/account/session.ts';
import type { EditorModel } from '../state/editor-store.ts';
import { findZone } from '../state/zones/zones.ts';
import { type Generation, madeOf } from './generation.ts';
import type { Generator } from './generator.ts';
import { GENERATORS } from './generators.ts';

/**
 * Settings of generators, kept in the browser by layout, so that what was made goes on with them when the layout is opened
 * again. They are no part of the layout: whoever else opens it has its zones.
 */

/** Most layouts whose settings are kept; those of the one changed longest ago go first. */
const MAX_KEPT = 50;
/** Longest settings that are kept, as text. */
const MAX_SETTINGS_LENGTH = 20_000;
/** Settings are kept once nothing more has changed for so long, in milliseconds: a dragged slider changes them at every step. */
const KEEP_AFTER_MS = 500;

/** Generations that the browser's store holds as they are. */
const stored = new WeakSet<Generation>();

interface Kept {
  readonly layout: string;
  readonly generator: string;
  readonly zone: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of the content that was made: once it was changed, it is somebody's own. */
  readonly made: string;
}

const key = (): string => `tuckbox-generators:${sessionUser()?.uid ?? ''}`;

const isKept = (one: unknown): one is Kept => {
  const { layout, generator, zone, settings, made } = (one ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return (
    [layout, generator, zone, made].every((text) => typeof text === 'string') &&
    typeof settings === 'object' &&
    settings !== null
  );
};

function read(): Kept[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]');
    return Array.isArray(all) ? all.filter(isKept) : [];
  } catch {
    return [];
  }
}

/** A fingerprint of content that does not depend on the order of its keys. */
const markOf = (made: readonly unknown[]): string =>
  fingerprint(canonicalJson(JSON.parse(JSON.stringify(made))));

/** Keeps the settings of what a generator made last in a layout, unless they are kept already. */
export function keepGeneration(layout: string, generation: Generation): void {
  const { generator, zone, settings, made } = generation;
  if (stored.has(generation) || JSON.stringify(settings).length > MAX_SETTINGS_LENGTH) return;
  const others = read().filter((one) => one.layout !== layout);
  const kept = { layout, generator: generator.id, zone, settings, made: markOf(made) };
  try {
    localStorage.setItem(key(), JSON.stringify([kept, ...others].slice(0, MAX_KEPT)));
    stored.add(generation);
  } catch {
    // In a browser that keeps nothing, settings end with the page.
  }
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Kept settings as far as the generator still has them: an earlier version may have had others. */
function settingsOf({ first }: Generator, { settings }: Kept): object {
  const usual = first as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(usual).map(([name, value]) => {
      const kept = settings[name];
      return [name, kindOf(kept) === kindOf(value) ? kept : value];
    }),
  );
}

/** Goes on with the settings kept for a layout, unless what they made is gone or has been changed since. */
export function resumeGeneration(model: EditorModel, layout: string): void {
  const kept = read().find((one) => one.layout === layout);
  const generator = GENERATORS.find(({ id }) => id === kept?.generator);
  const zone = kept && findZone(model.state.scene, kept.zone);
  if (!kept || !generator || !zone) return;
  const made = madeOf(generator, zone);
  if (markOf(made) !== kept.made) return;
  const settings = settingsOf(generator, kept);
  const again = `generate ${zone.id} ${crypto.randomUUID()}`;
  const generation = { generator, settings, zone: zone.id, made, key: again };
  stored.add(generation);
  model.view({ generation });
}

/** Keeps the settings of what is made in a layout, at the latest when its editor or the page is left. */
export function useKeptGeneration(model: EditorModel, layout: string): void {
  const generation = useStore(model.store, (state) => state.generation);
  useEffect(() => {
    if (!generation) return;
    const timer = setTimeout(() => keepGeneration(layout, generation), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [generation, layout]);
  useEffect(() => {
    const flush = () => {
      if (model.state.generation) keepGeneration(layout, model.state.generation);
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [model, layout]);
}
