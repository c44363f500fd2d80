import { Badge, Button, Table, Text } from '@mantine/core';
import type { Webhook } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { isApiError } from '../../api/request.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDate } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkAnchor, LinkButton } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { openCreateWebhook } from './create-webhook.tsx';
import { eventsInWords } from './events.ts';
import { webhooksQuery } from './queries.ts';
import { stateOf } from './webhook-state.ts';

export function WebhooksPage() {
  const mode = useMode();
  const query = useQuery(webhooksQuery(mode));
  const refusal = useRefusal();
  const icon = <IconPlus size={18} aria-hidden />;
  const create = refusal ? (
    <RefusedButton reason={refusal} leftSection={icon}>
      New endpoint
    </RefusedButton>
  ) : (
    <Button leftSection={icon} onClick={() => openCreateWebhook()}>
      New endpoint
    </Button>
  );
  const needsPlan = isApiError(query.error) && query.error.code === 'plan_required';
  return (
    <Page
      title="Webhooks"
      description="We send your server the events you choose, signed, within a second or two. What fails is tried again for days."
      actions={needsPlan ? null : create}
    >
      {needsPlan ? (
        <Panel>
          <Empty
            title="Your plan has no webhooks"
            action={<LinkButton to="/settings/plan">See your plan</LinkButton>}
          >
            The operator of this server can give you a plan that has them. Scans are counted either way.
          </Empty>
        </Panel>
      ) : (
        <QueryView query={query}>
          {({ data }) => (
            <Panel>
              {data.length === 0 ? (
                <Empty
                  title="No endpoints yet"
                  action={create}
                  curl={curlFor('POST', '/v1/webhooks', { url: 'https://example.com/hooks/signpost' })}
                >
                  An endpoint is an address of your server that takes a POST for each event.
                </Empty>
              ) : (
                <WebhooksTable webhooks={data} />
              )}
            </Panel>
          )}
        </QueryView>
      )}
    </Page>
  );
}

function WebhooksTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <WideTable label="Endpoints" minWidth={520}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Address</Table.Th>
          <Table.Th>Events</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map(webhook => {
          const { label, color } = stateOf(webhook);
          return (
            <Table.Tr key={webhook.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <LinkAnchor to="/settings/webhooks/$id" params={{ id: webhook.id }} fw={600}>
                  {webhook.url}
                </LinkAnchor>
                {webhook.description && (
                  <Text size="sm" c="dimmed">
                    {webhook.description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{eventsInWords(webhook.events)}</Table.Td>
              <Table.Td>
                <Badge color={color} variant="light" tt="none">
                  {label}
                </Badge>
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(webhook.created_at)}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </WideTable>
  );
}
