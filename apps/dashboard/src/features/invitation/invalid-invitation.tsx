import { Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { peopleText } from '../../strings/people.ts';
import { signInText } from '../../strings/sign-in.ts';
import { LinkButton } from '../../ui/router-link.tsx';

const text = peopleText.invitation;

/** In place of an invitation that leads nowhere: why that may be, and the way on. */
export function InvalidInvitation({ isSignedIn }: { readonly isSignedIn: boolean }) {
  useDocumentTitle(signInText.pageTitle(text.invalidTitle));
  return (
    <Stack gap="md">
      <Title order={1} fz={22}>
        {text.invalidTitle}
      </Title>
      <Text size="sm">{text.invalid}</Text>
      <LinkButton to={isSignedIn ? '/codes' : '/sign-in'} fullWidth mt="xs">
        {isSignedIn ? text.home : signInText.signIn}
      </LinkButton>
    </Stack>
  );
}
