import { Alert, Button, Group, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { wordsFor } from './confirm-email-words.ts';
import { useMe } from './me.ts';

/** Shown until the address is confirmed, where the server sends mail at all, and wherever links wait for it. */
export function ConfirmEmail() {
  const { user, account, service } = useMe();
  const send = useMutation({
    mutationFn: () => call('sendVerification', {}),
    onError: error => notifyProblem(error, shellText.confirmEmail.notSent),
  });
  const isHeld = account?.held ?? false;
  if (!isHeld && (user.email_verified || !service.sends_mail)) return null;
  const { title, text, canSend } = wordsFor({
    held: isHeld,
    verified: user.email_verified,
    sendsMail: service.sends_mail,
    sent: send.isSuccess,
    email: user.email,
  });
  return (
    <Alert icon={<IconMail aria-hidden />} title={title} mb="lg" {...(isHeld ? { color: 'orange' } : {})}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 20rem' }} role="status">
          {text}
        </Text>
        {canSend && (
          <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            {shellText.confirmEmail.again}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
