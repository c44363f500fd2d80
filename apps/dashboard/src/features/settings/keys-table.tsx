import { Button, Code, Group, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ApiKeyItem } from '@signpost/contract';
import { operatorPermission } from '@signpost/contract/permissions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { formatDate } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { openChangeKey } from './change-key.tsx';
import { toPreset } from './key-scopes.ts';
import { keysQuery } from './queries.ts';

const text = settingsText.keys;

/** The keys that there are; of each only its end can be seen. */
export function KeysTable({ keys }: { readonly keys: readonly ApiKeyItem[] }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKeyItem) => call('revokeKey', { params: { id } }),
    onSuccess: async () => {
      notifyDone(text.revoked);
      await client.invalidateQueries(keysQuery);
    },
    onError: error => notifyProblem(error, text.revokeFailed),
  });
  const ask = (key: ApiKeyItem) =>
    modals.openConfirmModal({
      title: text.revokeTitle(toLabel(key)),
      children: <Text size="sm">{text.revokeText}</Text>,
      labels: { confirm: text.revoke, cancel: text.cancel },
      confirmProps: { color: 'red.8' },
      onConfirm: () => revoke.mutate(key),
    });
  return (
    <WideTable label={text.table} minWidth={860}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.name}</Table.Th>
          <Table.Th>{text.key}</Table.Th>
          <Table.Th>{text.scopes}</Table.Th>
          <Table.Th>{text.expires}</Table.Th>
          <Table.Th>{text.networksShort}</Table.Th>
          <Table.Th>{text.created}</Table.Th>
          <Table.Th>{text.lastUsed}</Table.Th>
          <Table.Th aria-label={text.revoke} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map(key => (
          <Table.Tr key={key.id}>
            <Table.Td miw={140} maw={260}>
              <LongText fw={500} text={toLabel(key)} what={text.name} />
            </Table.Td>
            <Table.Td>
              <Code style={{ whiteSpace: 'nowrap' }}>
                {key.prefix}…{key.last_four}
              </Code>
            </Table.Td>
            <Table.Td>{describeScopes(key)}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {key.expires_at ? formatDate(key.expires_at) : text.never}
              {isExpired(key) ? (
                <Text size="xs" fw={500} c="var(--mantine-color-error)">
                  {text.expired}
                </Text>
              ) : null}
            </Table.Td>
            <Table.Td>{key.allowed_cidrs?.join(', ') ?? text.everywhere}</Table.Td>
            <Table.Td>
              <div style={{ minWidth: 0 }}>
                <span style={{ whiteSpace: 'nowrap' }}>{formatDate(key.created_at)}</span>
                {key.created_by ? (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {key.created_by}
                  </Text>
                ) : null}
              </div>
            </Table.Td>
            <Table.Td>{key.last_used_at ? <TimeAgo value={key.last_used_at} /> : text.never}</Table.Td>
            <Table.Td ta="right">
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                {isOperatorKey(key) ? null : (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => openChangeKey(key)}
                    aria-label={text.changeOf(toLabel(key))}
                  >
                    {text.change}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => ask(key)}
                  aria-label={text.revokeOf(toLabel(key))}
                >
                  {text.revoke}
                </Button>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

const toLabel = ({ name }: ApiKeyItem) => name || text.noName;

const isExpired = ({ expires_at: end }: ApiKeyItem) => end !== null && Date.parse(end) <= Date.now();

const isOperatorKey = ({ scopes }: ApiKeyItem) => scopes?.includes(operatorPermission) ?? false;

function describeScopes(key: ApiKeyItem): string {
  if (isOperatorKey(key)) return text.operatorScope;
  const preset = toPreset(key.scopes);
  return preset ? text.scope[preset] : (key.scopes ?? []).join(', ');
}
