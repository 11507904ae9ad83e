import { Button } from '@mantine/core';
import { LayoutTemplate } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { LayoutDocument, WithId } from '../../../data/documents.ts';
import { describeError } from '../../../data/messages.ts';
import { useLayout } from '../../../data/queries.ts';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../../ui/page.tsx';
import { EditorScreen } from './editor-screen.tsx';

/** `/layouts/edit/{id}/{returnToLayouts?}`; `?deck=…&component=…` name the table shown. */
export function Component() {
  const { id = '', returnToLayouts } = useParams();
  const [search] = useSearchParams();
  const { data, error } = useLayout(id);
  // The editor starts from the first version seen; later ones come to it as changes from elsewhere.
  const [first, setFirst] = useState<WithId<LayoutDocument>>();
  useEffect(() => {
    if (data && first?.id !== data.id) setFirst(data);
  }, [data, first]);

  const deck = search.get('deck');
  const component = search.get('component');
  const back =
    returnToLayouts || !deck ? '/layouts' : `/decks/${deck}${component ? `?component=${component}` : ''}`;

  if (data === null) {
    return (
      <Page title="No such layout">
        <EmptyState
          icon={<LayoutTemplate size={26} />}
          title="This layout is not here"
          action={
            <Button component={Link} to="/layouts">
              To your layouts
            </Button>
          }
        >
          It may have been deleted, or it belongs to another account.
        </EmptyState>
      </Page>
    );
  }
  if (error && !first) {
    return (
      <Page title="Layout">
        <Problem title={describeError(error)} />
      </Page>
    );
  }
  if (!first || first.id !== id || !data) {
    return (
      <Page title={<Placeholder width={240} height={36} />}>
        <Loading label="Loading layout" />
        <Placeholder height={480} radius={16} />
      </Page>
    );
  }
  return (
    <EditorScreen
      key={id}
      id={id}
      initial={first}
      stored={data}
      deck={deck ?? undefined}
      component={component ?? undefined}
      back={back}
    />
  );
}
