import { blockPlace } from '../core/book/document/block-words.ts';
import { rulebookPdf } from '../render/pdf/rulebook/rulebook.ts';
import type { RenderContext } from '../render/render-context.ts';
import { RulebookPages } from '../workers/rulebook/rulebook-pages.ts';
import type { Made } from './format.ts';
import { type Equipment, fileTools, LackingEffects } from './pdf-tools.ts';
import type { LoadedRulebook } from './project/rulebook.ts';

/** Makes the PDF of a rulebook, as the application does, and writes it. */
export async function makeRulebook(
  { doc, style, format, facts }: LoadedRulebook,
  renderContext: RenderContext,
  equipment: Equipment,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Made> {
  const { flowed, project } = await new RulebookPages(renderContext).set({
    doc,
    style,
    format,
    project: facts,
  });
  const lacking = new LackingEffects(equipment);
  for (const { name } of facts.cards) {
    const list = project.card(name);
    if (list) lacking.note(list, () => name);
  }
  lacking.refuse();
  const tools = await fileTools(renderContext, equipment);
  const { title, language } = doc;
  await write(await rulebookPdf(flowed, tools, { title, created: new Date(), language }));
  return {
    pages: flowed.pages.length,
    cards: facts.cards.length,
    remarks: flowed.issues.map(({ block, message }) => ({
      where: blockPlace(doc.blocks, block) ?? doc.title,
      issue: { zone: block, message },
    })),
  };
}
