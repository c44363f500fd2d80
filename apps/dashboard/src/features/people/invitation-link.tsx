import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { peopleText } from '../../strings/people.ts';
import { Secret } from '../../ui/secret.tsx';

const text = peopleText.invite;

type Props = { readonly email: string; readonly link: string };

export const openInvitationLink = (props: Props) =>
  modals.open({
    title: text.linkTitle,
    children: <InvitationLink {...props} />,
    closeOnClickOutside: false,
  });

/** The link of an invitation, where no mail carries it. */
export function InvitationLink({ email, link }: Props) {
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.linkText(email)}
      </Text>
      <Secret value={link} what={text.link} onDone={() => modals.closeAll()} />
    </Stack>
  );
}
