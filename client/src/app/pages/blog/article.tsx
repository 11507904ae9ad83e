import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { describeError } from '../../../data/server/messages.ts';
import { day } from '../../../ui/dates.ts';
import { Loading, Page, Placeholder, Problem } from '../../../ui/page/page.tsx';
import { Prose } from '../../prose/prose.tsx';
import { useThingTitle } from '../../shell/document-title.ts';
import { ARTICLE_FIGURES } from './article-figures.tsx';
import css from './blog.module.css';
import { ARTICLES } from './contents.ts';

/** `/blog/{slug}` */
export function Component() {
  const slug = useLocation().pathname.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase();
  const article = ARTICLES.find((one) => one.slug === slug);
  useThingTitle(article?.title);
  const [words, setWords] = useState<{ slug: string | undefined; source: string }>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let here = true;
    article?.load().then(
      (module) => here && setWords({ slug, source: module.default }),
      (error) => here && setFailure(describeError(error)),
    );
    return () => {
      here = false;
    };
  }, [article, slug]);
  const next = ARTICLES[(ARTICLES.findIndex((one) => one.slug === slug) + 1) % ARTICLES.length];
  return (
    <Page
      reading
      above={
        <Link to="/blog/">
          <ArrowLeft size={15} aria-hidden /> Blog
        </Link>
      }
      title={article?.title}
      lead={article && day(article.date)}
    >
      {failure && <Problem title={failure} />}
      {words?.slug === slug && words ? (
        <Prose source={words.source} figures={ARTICLE_FIGURES} />
      ) : (
        <>
          <Loading label="Loading the article" />
          <Placeholder height={420} radius={16} />
        </>
      )}
      {next && (
        <aside className={css.next} aria-label="Next article">
          <span>Read next</span>
          <Link to={`/blog/${next.slug}`}>{next.title}</Link>
          <Button component={Link} to="/decks" size="sm">
            Open your projects
          </Button>
        </aside>
      )}
    </Page>
  );
}
