import '../ui/theme/mantine.css';
import '../ui/theme/tokens.css';
import { createRoot } from 'react-dom/client';
import { startSession } from '../data/account/session.ts';
import { startServices } from '../data/server/firebase.ts';
import { openLibraryWith } from '../workers/sources/library-opener.ts';
import { App } from './app.tsx';
import { StartFailure } from './start-failure.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
const root = createRoot(container);

openLibraryWith(async () => (await import('../data/images/feed.ts')).feedPainters());

/** Nothing shows before it is known whether somebody is signed in: no screen flickers past. */
async function start(): Promise<void> {
  try {
    await startServices();
    await startSession();
    root.render(<App />);
  } catch (error) {
    root.render(<StartFailure error={error} />);
  }
}

void start();
