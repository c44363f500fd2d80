import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { BlockList } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { operatorText } from '../../strings/operator.ts';
import { Dot } from '../../ui/dot.tsx';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './hosts-table.module.css';
import { listsQuery } from './queries.ts';

const text = operatorText.lists;

/** As docs/self-hosting/abuse.md has it. */
const command = 'signpost admin import-list urlhaus.csv --name urlhaus --format csv:3 --expires 7d';

/** Lists of bad hosts and addresses that others keep, as far as they were imported, and how to import one. */
export function ListsPanel() {
  const query = useQuery(listsQuery);
  return (
    <Panel title={text.title} description={text.text}>
      <QueryView query={query} lines={2}>
        {({ data }) => (
          <>
            {data.length === 0 ? <Text size="sm">{text.none}</Text> : <ListsTable lists={data} />}
            <Stack gap={6}>
              <Text size="sm" c="dimmed">
                {text.import}
              </Text>
              <Snippet text={command} what={text.command} />
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
    <Stack component="ul" gap={0} className={classes.cards} aria-label={text.title}>
      {lists.map(list => (
        <li key={list.name} className={classes.card}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {list.name}
          </Text>
          <Text size="sm" className="figures">
            {text.countOfHosts(list.hosts)}
            <Dot />
            {text.countOfAddresses(list.urls)}
            <Dot />
            {text.countOfCodes(list.suspended_codes)}
          </Text>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              <Sentence text={text.importedAt} parts={{ at: <TimeAgo value={list.imported_at} /> }} />
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <Expiry list={list} isSentence />
            </Text>
          </Group>
        </li>
      ))}
    </Stack>
  );
}

function Rows({ lists }: Props) {
  return (
    <WideTable label={text.title} minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.name}</Table.Th>
          <Table.Th ta="right">{text.hosts}</Table.Th>
          <Table.Th ta="right">{text.addresses}</Table.Th>
          <Table.Th ta="right">{text.codes}</Table.Th>
          <Table.Th>{text.imported}</Table.Th>
          <Table.Th>{text.expires}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lists.map(list => (
          <Table.Tr key={list.name}>
            <Table.Td fw={500} miw={140} style={{ overflowWrap: 'anywhere' }}>
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

type ExpiryProps = { readonly list: BlockList; readonly isSentence?: boolean };

/** The date, which a column names or a sentence does. */
function Expiry({ list: { expires_at }, isSentence = false }: ExpiryProps) {
  if (expires_at === null) return isSentence ? text.neverExpires : text.never;
  const date = formatDate(expires_at);
  const isOver = new Date(expires_at).getTime() < Date.now();
  return (
    <Group gap="xs" wrap="nowrap">
      {isSentence ? text.expiresOn(date) : date}
      {isOver && (
        <Badge color="orange" variant="light" tt="none" fw={500} miw="fit-content">
          {text.expired}
        </Badge>
      )}
    </Group>
  );
}
