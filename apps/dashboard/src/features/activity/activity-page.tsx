import { Button, NativeSelect, Stack, Table, Text } from '@mantine/core';
import type { AuditEvent } from '@signpost/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { activityText as text } from '../../strings/activity.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { describeAction, describeActor, describeDetails } from './event-words.ts';
import { activityQuery } from './queries.ts';

const choices = [
  { value: '', label: text.all },
  ...Object.entries(text.actions).map(([value, label]) => ({ value, label })),
];

/** Who changed what in the account. */
export function ActivityPage() {
  const mode = useMode();
  const [action, setAction] = useState('');
  const query = useInfiniteQuery(activityQuery(mode, action || null));
  return (
    <Page title={text.title} description={text.text}>
      <NativeSelect
        label={text.only}
        data={choices}
        value={action}
        onChange={event => setAction(event.currentTarget.value)}
        maw={360}
      />
      <Panel>
        <QueryView query={query}>
          {({ pages }) => {
            const events = pages.flatMap(({ data }) => data);
            if (events.length > 0) return <Events events={events} />;
            return <Text c="dimmed">{action ? text.emptyOfKind : text.empty}</Text>;
          }}
        </QueryView>
        {query.hasNextPage ? (
          <Button
            mt="md"
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {text.older}
          </Button>
        ) : null}
      </Panel>
    </Page>
  );
}

/** Nothing where there are none, so that a card has no line for them. */
const showDetails = (lines: readonly string[]) =>
  lines.length === 0 ? null : (
    <Stack gap={2}>
      {lines.map(line => (
        <LongText key={line} size="sm" text={line} what={text.about} />
      ))}
    </Stack>
  );

function Events({ events }: { readonly events: readonly AuditEvent[] }) {
  return (
    <WideTable label={text.table} minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.when}</Table.Th>
          <Table.Th>{text.who}</Table.Th>
          <Table.Th>{text.what}</Table.Th>
          <Table.Th>{text.about}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.map(event => (
          <Table.Tr key={event.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <TimeAgo value={event.at} />
            </Table.Td>
            <Table.Td fw={500}>{describeActor(event.actor)}</Table.Td>
            <Table.Td>{describeAction(event.action)}</Table.Td>
            <Table.Td>{showDetails(describeDetails(event))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
