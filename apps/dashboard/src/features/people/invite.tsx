import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { peopleText } from '../../strings/people.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { useMe } from '../shell/me.ts';
import { InvitationLink } from './invitation-link.tsx';
import { invitationsQuery } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';
import type { Role } from './roles.ts';

const text = peopleText.invite;

export const openInvite = () =>
  modals.open({ title: text.title, children: <Invite />, closeOnClickOutside: false });

/** An address and a role. Where the server sends no mail, the link is shown once, to be passed on. */
function Invite() {
  const { service } = useMe();
  const form = useForm({
    initialValues: { email: '', role: 'editor' as Role },
    validate: { email: value => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? null : text.emailFault) },
  });
  const invite = useMutation({
    mutationFn: ({ email, role }: typeof form.values) =>
      call('createInvitation', { body: { email: email.trim(), role } }),
    onSuccess: async ({ email, link }) => {
      if (link === null) {
        modals.closeAll();
        notifyDone(text.sent(email));
      }
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    },
    onError: error => form.setErrors(fieldErrors(error, ['email'])),
  });
  if (invite.data?.link) return <InvitationLink email={invite.data.email} link={invite.data.link} />;
  const isOnField = Object.keys(fieldErrors(invite.error, ['email'])).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => invite.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={text.email}
          description={text.emailHint}
          type="email"
          inputMode="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleChoice value={form.values.role} onChange={role => form.setFieldValue('role', role)} />
        {!service.sends_mail && (
          <Text size="sm" c="dimmed">
            {text.noMail}
          </Text>
        )}
        {invite.error && !isOnField ? <Problem error={invite.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {peopleText.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {service.sends_mail ? text.send : text.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
