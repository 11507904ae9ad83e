import '../ui/theme/mantine.css';
import '../ui/theme/tokens.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme/theme.ts';
import { router } from './router.tsx';
import { connect } from './server/server.ts';
import { Unreachable } from './shell/unreachable.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('console.html has no #root');
const root = createRoot(container);

async function start(): Promise<void> {
  const failure = await connect().then(
    () => undefined,
    (error: unknown) => error,
  );
  root.render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {failure === undefined ? <RouterProvider router={router} /> : <Unreachable error={failure} />}
    </MantineProvider>,
  );
}

void start();
