import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { openChangeEmail } from './change-email.tsx';
import { emailChangeQuery } from './queries.ts';

const text = settingsText.account.email;

/** The address that somebody signs in with, and the one that is to take its place. */
export function EmailPanel() {
  const { user, service } = useMe();
  const refused = useRefusal('profile:manage');
  const refusal = refused ?? (service.sends_mail ? undefined : text.noMail);
  return (
    <Panel title={text.title} description={text.text}>
      <Group gap="xs">
        <Text fw={500} style={{ overflowWrap: 'anywhere' }} aria-label={text.current} role="group">
          {user.email}
        </Text>
        {service.sends_mail && (
          <Badge
            color={user.email_verified ? 'signpost' : 'orange'}
            variant="light"
            tt="none"
            fw={500}
            miw="fit-content"
          >
            {user.email_verified ? text.confirmed : text.notConfirmed}
          </Badge>
        )}
      </Group>
      <Pending />
      <Group>
        {refusal ? (
          <RefusedButton reason={refusal} variant="default">
            {text.change}
          </RefusedButton>
        ) : (
          <Button variant="default" onClick={openChangeEmail}>
            {text.change}
          </Button>
        )}
      </Group>
    </Panel>
  );
}

function Pending() {
  const client = useQueryClient();
  const { data } = useQuery(emailChangeQuery);
  const cancel = useMutation({
    mutationFn: () => call('cancelEmailChange', {}),
    onSuccess: answer => {
      client.setQueryData(emailChangeQuery.queryKey, answer);
      notifyDone(text.cancelled);
    },
    onError: error => notifyProblem(error, text.cancelFailed),
  });
  if (!data?.pending) return null;
  const { email, expires_at } = data.pending;
  return (
    <Alert icon={<IconMail aria-hidden />} title={text.pendingTitle(email)} role="status">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{text.pendingText(formatDateTime(expires_at))}</Text>
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {text.cancelChange}
        </Button>
      </Stack>
    </Alert>
  );
}
