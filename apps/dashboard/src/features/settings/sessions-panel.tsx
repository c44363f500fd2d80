import { Badge, Button, Group, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { sessionsQuery } from './queries.ts';

const text = settingsText.account.sessions;

/** Where this person is signed in; each can be ended from here. */
export function SessionsPanel() {
  const query = useQuery(sessionsQuery);
  const client = useQueryClient();
  const ended = async () => {
    notifyDone(text.ended);
    await client.invalidateQueries(sessionsQuery);
  };
  const failed = (error: unknown) => notifyProblem(error, text.failed);
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
    <Panel title={text.title} description={text.text}>
      <QueryView query={query}>
        {({ data }) => (
          <>
            <WideTable label={text.title} minWidth={440}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{text.device}</Table.Th>
                  <Table.Th>{text.signedIn}</Table.Th>
                  <Table.Th aria-label={text.end} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map(session => (
                  <Table.Tr key={session.id}>
                    <Table.Td>{session.device}</Table.Td>
                    <Table.Td>{formatDateTime(session.created_at)}</Table.Td>
                    <Table.Td ta="right">
                      {session.current ? (
                        <Badge variant="light" tt="none" fw={500}>
                          {text.thisDevice}
                        </Badge>
                      ) : (
                        <Button
                          size="xs"
                          variant="default"
                          onClick={() => end.mutate(session.id)}
                          aria-label={text.endOf(session.device)}
                        >
                          {text.end}
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
                  {text.endOthers}
                </Button>
              </Group>
            )}
          </>
        )}
      </QueryView>
    </Panel>
  );
}
