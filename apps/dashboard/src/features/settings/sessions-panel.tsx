import { Badge, Button, Group, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { sessionsQuery } from './queries.ts';

/** Where this person is signed in; each can be ended from here. */
export function SessionsPanel() {
  const query = useQuery(sessionsQuery);
  const client = useQueryClient();
  const ended = async () => {
    notifyDone('Signed out there.');
    await client.invalidateQueries(sessionsQuery);
  };
  const failed = (error: unknown) => notifyProblem(error, 'The session was not ended');
  const end = useMutation({
    mutationFn: (id: string) => call('revokeSession', { params: { id } }),
    onSuccess: ended,
    onError: failed,
  });
  const endOthers = useMutation({
    mutationFn: () => call('revokeOtherSessions', {}),
    onSuccess: ended,
    onError: failed,
  });
  return (
    <Panel
      title="Sessions"
      description="Neither address nor browser details are kept, only the kind of device."
    >
      <QueryView query={query}>
        {({ data }) => (
          <>
            <WideTable label="Sessions" minWidth={440}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Device</Table.Th>
                  <Table.Th>Signed in</Table.Th>
                  <Table.Th aria-label="End" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map(session => (
                  <Table.Tr key={session.id}>
                    <Table.Td>{session.device}</Table.Td>
                    <Table.Td>{formatDateTime(session.created_at)}</Table.Td>
                    <Table.Td ta="right">
                      {session.current ? (
                        <Badge variant="light" tt="none">
                          This one
                        </Badge>
                      ) : (
                        <Button
                          size="xs"
                          variant="default"
                          onClick={() => end.mutate(session.id)}
                          aria-label={`Sign out ${session.device}`}
                        >
                          Sign out
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </WideTable>
            {data.length > 2 && (
              <Group>
                <Button variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
                  Sign out everywhere else
                </Button>
              </Group>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}
