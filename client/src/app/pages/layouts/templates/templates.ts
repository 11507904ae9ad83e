import type { Template } from './build.ts';
import { fantasyTemplates } from './fantasy.ts';
import { modernTemplates } from './modern.ts';
import { pieceTemplates } from './pieces.ts';

export type { Template } from './build.ts';

/** Every template, built when first asked for. */
let built: readonly Template[] | undefined;
export function templates(): readonly Template[] {
  built ??= [...fantasyTemplates(), ...modernTemplates(), ...pieceTemplates()].map(withSample);
  return built;
}

/** A layout made from a template shows the template's sample card until it has a table of its own. */
const withSample = (template: Template): Template => ({
  ...template,
  layout: { ...template.layout, sample: { ...template.sample } },
});
