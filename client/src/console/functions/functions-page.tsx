import { SquareFunction } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Problem } from '../../ui/page/page.tsx';
import { ConsolePage, Pane, Panes, Quiet } from '../parts/panes.tsx';
import { Waiting } from '../parts/rows.tsx';
import { CopyButton, Facts, Tag } from '../parts/small.tsx';
import { server, words } from '../server/server.ts';
import { useAsk } from '../server/use-ask.ts';
import { CallForm } from './call-form.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { type FunctionInfo, kindName, listFunctions, triggerLine } from './function-list.ts';
import css from './functions.module.css';
import { LogView } from './log-view.tsx';

/** Polling interval of the list, in milliseconds: sources are reloaded when they change. */
const EVERY_MS = 4_000;

function Details({ info }: { info: FunctionInfo }) {
  const address = `${location.origin}/${server().projectId}/${info.regions[0]}/${info.name}`;
  const direct = info.kind === 'callable' || info.kind === 'https';
  return (
    <div className={css.details}>
      <Facts
        facts={[
          ['Set off by', kindName(info)],
          ...(triggerLine(info) === '' ? [] : [['When', triggerLine(info)] as const]),
          [
            'Runs in',
            info.runtime === 'native' ? 'the server itself' : `Node, generation ${info.generation}`,
          ],
          ['Region', info.regions.join(', ')],
          ...(direct
            ? [
                [
                  'Address',
                  <>
                    {address} <CopyButton key="copy" text={address} label="Copy the address" />
                  </>,
                ] as const,
              ]
            : []),
        ]}
      />
      <CallForm key={info.name} info={info} />
    </div>
  );
}

/** Functions: which there are, a form to call each, what they print, and events that were given up. */
export function Component() {
  const { name } = useParams();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { data, error } = useAsk('functions', listFunctions, EVERY_MS);
  const chosen = data?.find((info) => info.name === name);
  const wanted = typed.trim().toLowerCase();
  const shown = data?.filter((info) => info.name.toLowerCase().includes(wanted));
  const current = useRef<HTMLButtonElement>(null);
  const found = chosen !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever comes by an address sees which one it is
  useEffect(() => {
    if (found) current.current?.scrollIntoView({ block: 'nearest' });
  }, [found, name]);
  return (
    <ConsolePage title="Functions" lead={data && `${data.length} loaded`} actions={<DeadLetters />}>
      <Panes columns="minmax(200px, 250px) minmax(300px, 1fr) minmax(0, 1.3fr)">
        <Pane
          label="All functions"
          head={
            <input
              className={css.filter}
              type="search"
              data-filter
              aria-label="Show functions with"
              placeholder="Filter"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          }
        >
          {error !== undefined && !data && <Problem title={words(error)} />}
          {!data && error === undefined && <Waiting />}
          {shown?.length === 0 && <Quiet title="No function is called that" />}
          {shown?.map((info) => (
            <button
              key={`${info.runtime} ${info.name}`}
              type="button"
              ref={info.name === name ? current : undefined}
              className={css.function}
              aria-current={info.name === name || undefined}
              onClick={() => void navigate(info.name === name ? '/functions' : `/functions/${info.name}`)}
            >
              <span>{info.name}</span>
              <Tag>{kindName(info)}</Tag>
            </button>
          ))}
        </Pane>
        <Pane label="Function" head={<h2>{chosen?.name ?? name ?? 'No function'}</h2>}>
          {chosen ? (
            <Details info={chosen} />
          ) : (
            <Quiet
              icon={<SquareFunction size={30} />}
              title={name !== undefined && data ? 'There is no such function' : 'Choose a function'}
            >
              Then call it, send it an event or have it run now.
            </Quiet>
          )}
        </Pane>
        <LogView only={chosen?.runtime === 'node' ? name : undefined} />
      </Panes>
    </ConsolePage>
  );
}
