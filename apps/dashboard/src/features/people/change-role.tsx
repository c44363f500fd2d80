import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Member } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { meQuery } from '../shell/me.ts';
import { membersQuery } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

const text = peopleText.changeRole;

export const openChangeRole = (member: Member) =>
  modals.open({ title: text.title(member.name), children: <ChangeRole member={member} /> });

function ChangeRole({ member: { id, name, role: before, is_you } }: { readonly member: Member }) {
  const [role, setRole] = useState(before);
  const save = useMutation({
    mutationFn: () => call('updateMember', { params: { id }, body: { role } }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.saved(name, shellText.roles[role]));
      // First what this person may still do: the page may be theirs no longer.
      if (is_you) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
  });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <RoleChoice value={role} onChange={setRole} />
        {is_you && role !== before && (
          <Text size="sm" c="dimmed">
            {text.yourself}
          </Text>
        )}
        {save.error ? <Problem error={save.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {peopleText.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={role === before}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
