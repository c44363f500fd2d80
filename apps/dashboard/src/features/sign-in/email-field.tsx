import { TextInput, type TextInputProps } from '@mantine/core';
import { signInText } from '../../strings/sign-in.ts';

export function EmailField(props: TextInputProps) {
  return <TextInput label={signInText.email} type="email" autoComplete="email" {...props} />;
}
