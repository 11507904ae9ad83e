import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

/** Local storage's key of the theme; `boot.ts` reads it before the first paint. */
export const THEME_STORAGE_KEY = 'tuckbox-theme';

/** True if a theme was chosen on this device. */
export function hasOwnTheme(): boolean {
  try {
    return localStorage.getItem(THEME_STORAGE_KEY) !== null;
  } catch {
    // Without storage, the theme is chosen again each time; the account's must not override it.
    return true;
  }
}

export const colorSchemeManager = localStorageColorSchemeManager({ key: THEME_STORAGE_KEY });

const vermilion: MantineColorsTuple = [
  '#fdf0eb',
  '#f6e2d9',
  '#eec0ae',
  '#f6a689',
  '#f08a66',
  '#d9623e',
  '#c24a2a',
  '#a8361c',
  '#8d2b14',
  '#6d200e',
];

/** Colour of buttons that destroy something. */
export const DANGER = 'var(--bad)';

export const theme = createTheme({
  primaryColor: 'vermilion',
  colors: { vermilion },
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: 'var(--font-text)',
  headings: { fontFamily: 'var(--font-display)', fontWeight: '600' },
  fontSizes: {
    xs: 'var(--text-2)',
    sm: 'var(--text-4)',
    md: 'var(--text-5)',
    lg: 'var(--text-7)',
    xl: 'var(--text-8)',
  },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '16px', xl: '24px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { fw: 550 },
      // Mantine would put white on whatever it does not know the lightness of.
      vars: (_theme: unknown, { variant = 'filled', color }: { variant?: string; color?: string }) => ({
        root:
          variant === 'filled'
            ? { '--button-color': color === DANGER ? 'var(--paper)' : 'var(--accent-ink)' }
            : {},
      }),
    },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
  },
});

/** Mantine's own variables, in terms of the tokens. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-gray-light-hover': 'var(--sunken)',
    '--mantine-color-gray-light-color': 'var(--ink)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-shadow-sm': 'var(--shadow-1)',
    '--mantine-shadow-md': 'var(--shadow-2)',
    '--mantine-shadow-xl': 'var(--shadow-3)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
    '--mantine-primary-color-contrast': 'var(--accent-ink)',
  };
  return { variables: {}, light: shared, dark: shared };
};
