import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Member } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { peopleText } from '../../strings/people.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { useAccount } from '../shell/me.ts';
import { membersQuery } from './queries.ts';

const text = peopleText.removal;

type Props = {
  readonly member: Member;
  /** Leads to the keys. A dialog is outside of the router. */
  readonly onKeys: () => void;
};

export const openRemoveMember = (props: Props) =>
  modals.open({ title: text.title(props.member.name), children: <RemoveMember {...props} /> });

/** Keys are no part of a person: what runs with them goes on until somebody revokes them. */
function RemoveMember({ member: { id, name, keys }, onKeys }: Props) {
  const account = useAccount();
  const remove = useMutation({
    mutationFn: () => call('removeMember', { params: { id } }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.done(name));
      await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
    },
  });
  return (
    <Stack>
      <Text size="sm">{text.text(account.name)}</Text>
      <Text size="sm">{keys === 0 ? text.noKeys : text.keys(keys)}</Text>
      {keys > 0 && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          underline="always"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            modals.closeAll();
            onKeys();
          }}
        >
          {text.keysLink}
        </Anchor>
      )}
      {remove.error ? <Problem error={remove.error} title={text.failed} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {peopleText.cancel}
        </Button>
        <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()}>
          {text.confirm}
        </Button>
      </Group>
    </Stack>
  );
}
