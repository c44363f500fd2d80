import { Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { signInText } from '../../strings/sign-in.ts';
import { LinkButton } from '../../ui/router-link.tsx';

type Props = { readonly title: string; readonly children: ReactNode };

/** In the place of a form that leads nowhere: why, and the way back. */
export function SignedOutNote({ title, children }: Props) {
  useDocumentTitle(signInText.pageTitle(title));
  return (
    <Stack gap="md">
      <Title order={1} fz={22}>
        {title}
      </Title>
      <Text size="sm">{children}</Text>
      <LinkButton to="/sign-in" fullWidth mt="xs">
        {signInText.signIn}
      </LinkButton>
    </Stack>
  );
}
