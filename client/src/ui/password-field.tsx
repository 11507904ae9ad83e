import { PasswordInput } from '@mantine/core';
import type { ComponentProps } from 'react';

/** A field for a password, whose eye has a name for screen readers. */
export function PasswordField(props: ComponentProps<typeof PasswordInput>) {
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': 'Show password' }} />;
}
