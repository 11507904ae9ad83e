import { MantineProvider } from '@mantine/core';
import { RouterProvider } from 'react-router/dom';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme/theme.ts';
import { router } from './router.tsx';

/** The application around its routes. */
export function App() {
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
