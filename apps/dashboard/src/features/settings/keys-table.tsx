import { Button, Code, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ApiKeyItem } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { formatDate } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { keysQuery } from './queries.ts';

/** The keys that there are; of each only its end can be seen. */
export function KeysTable({ keys }: { readonly keys: readonly ApiKeyItem[] }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKeyItem) => call('revokeKey', { params: { id } }),
    onSuccess: async (_, { name }) => {
      notifyDone(`${name} is revoked. It opens nothing any more.`);
      await client.invalidateQueries(keysQuery);
    },
    onError: error => notifyProblem(error, 'The key was not revoked'),
  });
  const ask = (key: ApiKeyItem) =>
    modals.openConfirmModal({
      title: `Revoke ${key.name}?`,
      children: <Text size="sm">Programs that use it are refused from now on. This cannot be undone.</Text>,
      labels: { confirm: 'Revoke', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate(key),
    });
  return (
    <WideTable label="API keys" minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Key</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th aria-label="Revoke" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map(key => (
          <Table.Tr key={key.id}>
            <Table.Td fw={600}>{key.name}</Table.Td>
            <Table.Td>
              <Code>
                {key.prefix}…{key.last_four}
              </Code>
            </Table.Td>
            <Table.Td>{formatDate(key.created_at)}</Table.Td>
            <Table.Td>{key.last_used_at ? <TimeAgo value={key.last_used_at} /> : 'Never'}</Table.Td>
            <Table.Td ta="right">
              <Button size="xs" variant="default" onClick={() => ask(key)} aria-label={`Revoke ${key.name}`}>
                Revoke
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
