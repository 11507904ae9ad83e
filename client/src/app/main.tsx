import '../ui/theme/mantine.css';
import '../ui/theme/tokens.css';
import { createRoot } from 'react-dom/client';
import { startSession } from '../data/account/session.ts';
import { HostUnreachable, startServices } from '../data/server/firebase.ts';
import { inTrial } from '../data/trial/place.ts';
import { openLibraryWith } from '../workers/sources/library-opener.ts';
import { App } from './app.tsx';
import { pageRouter } from './router.tsx';
import { StartFailure } from './start-failure.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
const root = createRoot(container);

openLibraryWith(async () => (await import('../data/images/feed.ts')).feedPainters());

/** Nothing shows before it is known whether somebody is signed in: no screen flickers past. */
async function start(): Promise<void> {
  try {
    await startServices();
    const router = await pageRouter();
    await startSession();
    root.render(<App router={router} />);
  } catch (error) {
    if (inTrial() && !(error instanceof HostUnreachable)) {
      const { TrialFailure } = await import('./trial/trial-failure.tsx');
      root.render(<TrialFailure error={error} />);
      return;
    }
    root.render(<StartFailure error={error} />);
  }
}

void start();
