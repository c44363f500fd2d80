import { Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { InvitationDetails } from '@signpost/contract';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { signInText } from '../../strings/sign-in.ts';
import { formatDate } from '../../ui/format.ts';
import { Sentence } from '../../ui/sentence.tsx';

const text = peopleText.invitation;

/** Who invites whom to what. */
export function InvitationHead({ details }: { readonly details: InvitationDetails }) {
  const { account_name, invited_by, role, email, expires_at } = details;
  useDocumentTitle(signInText.pageTitle(text.waiting));
  const parts = { inviter: invited_by, email: <b>{email}</b>, role: <b>{shellText.roles[role]}</b> };
  return (
    <Stack gap={6}>
      <Title order={1} fz={22} style={{ overflowWrap: 'anywhere' }}>
        {text.title(account_name)}
      </Title>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Sentence text={text.by} parts={parts} />
      </Text>
      <Text size="sm" c="dimmed">
        {peopleText.roles[role]} {text.until(formatDate(expires_at))}
      </Text>
    </Stack>
  );
}
