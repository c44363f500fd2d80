import { Alert, Badge, SegmentedControl, Table, Text, UnstyledButton } from '@mantine/core';
import type { Delivery, DeliveryList } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './deliveries-panel.module.css';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { type DeliveryStatus, deliveriesQuery } from './queries.ts';
import { deliveryColors, outcomeOf } from './webhook-state.ts';

const words = webhooksText.deliveries;

/** What was sent to an endpoint, newest first; each opens with its request and the responses. */
export function DeliveriesPanel({ id }: { readonly id: string }) {
  const mode = useMode();
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<DeliveryStatus | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const query = useQuery(deliveriesQuery(mode, id, page, status));
  return (
    <Panel
      title={words.title}
      description={words.period}
      aside={
        <SegmentedControl
          aria-label={words.filter}
          size="xs"
          value={status ?? 'all'}
          onChange={value => {
            setStatus(value === 'all' ? null : (value as DeliveryStatus));
            setPage(1);
          }}
          data={[
            { value: 'all', label: words.all },
            { value: 'delivered', label: words.delivered },
            { value: 'pending', label: words.pending },
            { value: 'failed', label: words.failed },
          ]}
        />
      }
    >
      <QueryView query={query}>
        {({ data, pagination, test_limit }) => (
          <>
            {test_limit && <TestLimit limit={test_limit} />}
            {data.length === 0 ? (
              <Empty title={status ? words.emptyOf[status] : words.empty}>{words.emptyText}</Empty>
            ) : (
              <>
                <DeliveriesTable deliveries={data} onOpen={setOpened} />
                <Pager pages={pagination} what={words.many} onChange={setPage} />
              </>
            )}
          </>
        )}
      </QueryView>
      <DeliveryDrawer id={opened} onClose={() => setOpened(null)} />
    </Panel>
  );
}

type LimitProps = { readonly limit: NonNullable<DeliveryList['test_limit']> };

/** On a plan without webhooks: how much of the day is used, and what was not sent. */
function TestLimit({ limit: { per_day, used, not_queued, resets_at } }: LimitProps) {
  if (not_queued === 0)
    return (
      <Text size="sm" c="dimmed" mb="sm">
        {words.testLimit(used, per_day)}
      </Text>
    );
  return (
    <Alert color="yellow" mb="sm" title={words.testLimitReached(per_day)}>
      {words.notQueued(not_queued)} {words.testLimitResets(formatDateTime(resets_at))}
    </Alert>
  );
}

type TableProps = { readonly deliveries: readonly Delivery[]; readonly onOpen: (id: string) => void };

function DeliveriesTable({ deliveries, onOpen }: TableProps) {
  return (
    <WideTable label={words.title} minWidth={560} verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.when}</Table.Th>
          <Table.Th>{words.event}</Table.Th>
          <Table.Th>{words.status}</Table.Th>
          <Table.Th>{words.lastResponse}</Table.Th>
          <Table.Th ta="right">{words.attempts}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map(delivery => (
          <Table.Tr key={delivery.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <UnstyledButton className={classes.open} onClick={() => onOpen(delivery.id)}>
                {formatDateTime(delivery.created_at)}
              </UnstyledButton>
            </Table.Td>
            <Table.Td>{delivery.test ? words.test : delivery.event}</Table.Td>
            <Table.Td>
              <Badge variant="light" color={deliveryColors[delivery.status]} tt="none">
                {delivery.waiting_for ? words.waiting : words[delivery.status]}
              </Badge>
            </Table.Td>
            <Table.Td>{outcomeOf(delivery)}</Table.Td>
            <Table.Td ta="right">{delivery.attempts}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
