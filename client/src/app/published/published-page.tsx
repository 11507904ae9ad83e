import type { ReactNode } from 'react';
import { EmptyState, Loading, Page, Placeholder, Problem } from '../../ui/page/page.tsx';
import type { Found } from './use-published.ts';

/** The page of a link while its thing is being read, and where it is not there or cannot be read. */
export function PublishedPage({
  found,
  title,
  thing,
  icon,
  reading,
}: {
  found: Exclude<Found<unknown>, { at: 'here' }>;
  title: string;
  /** Its kind in a sentence: “rulebook”. */
  thing: string;
  icon: ReactNode;
  /** As wide as text to be read. */
  reading?: boolean;
}) {
  return (
    <Page title={title} {...(reading && { reading })}>
      {found.at === 'failed' && <Problem title={`The ${thing} cannot be shown.`}>{found.why}</Problem>}
      {found.at === 'nothing' && (
        <EmptyState icon={icon} title="Nothing is published here">
          The link may be incomplete, or whoever published the {thing} has closed it. Ask them for the link.
        </EmptyState>
      )}
      {found.at === 'loading' && (
        <>
          <Loading label={`Loading the ${thing}`} />
          <Placeholder height={420} radius={16} />
        </>
      )}
    </Page>
  );
}
