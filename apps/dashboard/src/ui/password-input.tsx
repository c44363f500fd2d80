import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';

/** Mantine's, which does not tell screen readers that its text is at fault. */
export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput {...props} aria-invalid={props.error ? true : undefined} />;
}
