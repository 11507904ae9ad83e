import { safeName } from '../../core/imposition/images/file-names.ts';
import { notebookPage } from '../../core/tabletop/extras.ts';
import { NO_FIELDS, planSave, saveEntries, tablePart, usualShape } from '../../core/tabletop/package.ts';
import { rulebookPage } from '../../core/tabletop/rulebook-page.ts';
import { DEFAULT_SIMULATOR_SETTINGS } from '../../core/tabletop/simulator.ts';
import { textFacts } from '../../data/rulebooks/project-facts.ts';
import { bundle, type Format } from '../format.ts';

export const SIMULATOR: Format = {
  summary: 'a save of Tabletop Simulator with its pictures',
  ending: () => 'zip',
  named: 'for tts',
  updates: true,
  rulebook: 'if-named',
  plan(project, _settings, existing) {
    const objects = project.parts.flatMap(({ id, component, cards, part }) => {
      const as = usualShape(component.kind);
      if (as === 'notebook') return [];
      return [tablePart(part, { id, cardIds: cards.map((card) => card.id), as }, NO_FIELDS)];
    });
    const pages = project.parts
      .filter(({ component }) => usualShape(component.kind) === 'notebook')
      .map(({ part }) => notebookPage(part));
    const { rulebook } = project;
    const notebook = rulebook ? [...pages, rulebookPage(rulebook.doc, textFacts(rulebook.facts))] : pages;
    const extras = { notebook, snapPoints: true };
    const made = planSave(objects, DEFAULT_SIMULATOR_SETTINGS, project.name, existing, extras);
    return bundle(made ? saveEntries(made, `${safeName(project.name) || 'cards'}.json`) : []);
  },
};
