import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { BlockList } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './hosts-table.module.css';
import { listsQuery } from './queries.ts';
import { codesOf } from './words.ts';

/** As docs/abuse.md has it. */
const command = 'signpost admin import-list urlhaus.csv --name urlhaus --format csv:3 --expires 7d';

/** Lists of bad hosts and addresses that others keep, as far as they were imported, and how to import one. */
export function ListsPanel() {
  const query = useQuery(listsQuery);
  return (
    <Panel title="Lists" description="Hosts and addresses that others know to be harmful.">
      <QueryView query={query} lines={2}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <Text size="sm">
                No list is imported, so destinations are checked only against blocked hosts.
              </Text>
            ) : (
              <ListsTable lists={data} />
            )}
            <Stack gap={6}>
              <Text size="sm" c="dimmed">
                Import a list on the server, or bring it up to date
              </Text>
              <Snippet text={command} what="command" />
            </Stack>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

type Props = { readonly lists: readonly BlockList[] };

/** One row a list; on a phone one card a list. */
function ListsTable({ lists }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  return narrow ? <Cards lists={lists} /> : <Rows lists={lists} />;
}

function Cards({ lists }: Props) {
  return (
    <Stack component="ul" gap={0} className={classes.cards} aria-label="Lists">
      {lists.map(list => (
        <li key={list.name} className={classes.card}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {list.name}
          </Text>
          <Text size="sm" className="figures">
            {formatNumber(list.hosts)} hosts, {formatNumber(list.urls)} addresses,{' '}
            {codesOf(list.suspended_codes)} suspended
          </Text>
          <Group gap={4}>
            <Text size="sm" c="dimmed">
              Imported <TimeAgo value={list.imported_at} />, expires:
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <Expiry list={list} />
            </Text>
          </Group>
        </li>
      ))}
    </Stack>
  );
}

function Rows({ lists }: Props) {
  return (
    <WideTable label="Lists" minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th ta="right">Hosts</Table.Th>
          <Table.Th ta="right">Addresses</Table.Th>
          <Table.Th ta="right">Codes suspended</Table.Th>
          <Table.Th>Imported</Table.Th>
          <Table.Th>Expires</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lists.map(list => (
          <Table.Tr key={list.name}>
            <Table.Td fw={600} miw={140} style={{ overflowWrap: 'anywhere' }}>
              {list.name}
            </Table.Td>
            <Table.Td ta="right">{formatNumber(list.hosts)}</Table.Td>
            <Table.Td ta="right">{formatNumber(list.urls)}</Table.Td>
            <Table.Td ta="right">{formatNumber(list.suspended_codes)}</Table.Td>
            <Table.Td>
              <TimeAgo value={list.imported_at} />
            </Table.Td>
            <Table.Td>
              <Expiry list={list} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function Expiry({ list: { expires_at } }: { readonly list: BlockList }) {
  if (expires_at === null) return 'Never';
  const isOver = new Date(expires_at).getTime() < Date.now();
  return (
    <Group gap="xs" wrap="nowrap">
      {formatDate(expires_at)}
      {isOver && (
        <Badge color="orange" variant="light" tt="none" fw={600} miw="fit-content">
          Expired
        </Badge>
      )}
    </Group>
  );
}
