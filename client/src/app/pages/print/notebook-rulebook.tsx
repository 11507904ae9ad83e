import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Rulebook } from '../../../core/book/document/schema.ts';
import type { NotebookPage } from '../../../core/tabletop/extras.ts';
import { rulebookPage } from '../../../core/tabletop/rulebook-page.ts';
import type { RulebookDocument, WithId } from '../../../data/documents/documents.ts';
import type { Project } from '../../../data/project/open-project.ts';
import { projectFacts, textFacts } from '../../../data/rulebooks/project-facts.ts';
import { useRulebooks } from '../../../data/rulebooks/rulebooks.ts';
import { describeError } from '../../../data/server/messages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { useProjectSource } from '../rulebook/state/use-project-source.tsx';

/** Chooses a rulebook of the project for a page of the notebook, which is `undefined` while there is none. */
export function NotebookRulebook({
  project,
  onPage,
}: {
  project: Project;
  onPage: (page: NotebookPage | undefined) => void;
}) {
  const rulebooks = useRulebooks(project).data?.items.filter(({ deletedAt }) => deletedAt === 0);
  const [chosen, setChosen] = useState('');
  const rulebook = rulebooks?.find(({ id }) => id === chosen);
  if (!rulebooks || rulebooks.length === 0) return null;
  return (
    <>
      <NativeSelect
        label="Rulebook in the notebook"
        value={chosen}
        data={[
          { value: '', label: 'None' },
          ...rulebooks.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={(event) => {
          onPage(undefined);
          setChosen(event.currentTarget.value);
        }}
      />
      {rulebook && <Reading key={rulebook.id} project={project} rulebook={rulebook} onPage={onPage} />}
    </>
  );
}

/** Reads the text with the numbers of the project, and tells of the page that it makes. */
function Reading({
  project,
  rulebook,
  onPage,
}: {
  project: Project;
  rulebook: WithId<RulebookDocument>;
  onPage: (page: NotebookPage | undefined) => void;
}) {
  const { source, loaders } = useProjectSource(project);
  const { parts, layouts } = source;
  const { id, title, subtitle, language, head } = rulebook;
  const [book, setBook] = useState<Rulebook>();
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another head is another text
  useEffect(() => {
    let left = false;
    const read = async () => {
      // The editor's own code reads steps: for those alone who ask.
      const [{ readText }, { toRulebook }] = await Promise.all([
        import('../../../data/rulebooks/read-text.ts'),
        import('../../../core/book/prose/convert.ts'),
      ]);
      const { doc } = await readText(project, id);
      if (!left) setBook(toRulebook(doc, { title: title || 'Rules', subtitle, language }));
    };
    read().catch((error) => {
      if (!left) setFailure(describeError(error));
    });
    return () => {
      left = true;
    };
  }, [project, id, title, subtitle, language, head]);
  useEffect(() => {
    if (!book || !parts || !layouts) return;
    try {
      onPage(rulebookPage(book, textFacts(projectFacts(book, parts, layouts))));
    } catch (error) {
      setFailure(describeError(error));
    }
  }, [book, parts, layouts, onPage]);
  const shown = failure ?? (source.error && describeError(source.error));
  return (
    <>
      {loaders}
      {shown && <Problem title={shown} />}
      {!shown && (!book || !parts) && <p role="status">Reading {title}…</p>}
    </>
  );
}
