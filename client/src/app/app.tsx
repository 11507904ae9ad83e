import { MantineProvider } from '@mantine/core';
import type { DataRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme/theme.ts';

/** The application around its routes. */
export function App({ router }: { router: DataRouter }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <RouterProvider router={router} />
    </MantineProvider>
  );
}
