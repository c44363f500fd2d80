import type { PasswordInputProps } from '@mantine/core';
import { settingsText } from '../../strings/settings.ts';
import { PasswordInput } from '../../ui/password-input.tsx';

const text = settingsText.account.password;

/** The password, asked again before something that outlasts the session. */
export function CurrentPassword(props: PasswordInputProps) {
  return <PasswordInput label={text.current} autoComplete="current-password" {...props} />;
}

export const currentPasswordFault = (value: string) => (value ? null : text.currentMissing);
