import { Badge, Button, Table, Text } from '@mantine/core';
import type { Webhook } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { isApiError } from '../../api/request.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDate } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkAnchor, LinkButton } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { openCreateWebhook } from './create-webhook.tsx';
import { eventsInWords } from './events.ts';
import { webhooksQuery } from './queries.ts';
import { stateOf } from './webhook-state.ts';

export function WebhooksPage() {
  const mode = useMode();
  const { service } = useMe();
  const query = useQuery(webhooksQuery(mode));
  const refusal = useRefusal('webhooks:write');
  const icon = <IconPlus size={18} aria-hidden />;
  const create = refusal ? (
    <RefusedButton reason={refusal} leftSection={icon}>
      {webhooksText.newEndpoint}
    </RefusedButton>
  ) : (
    <Button leftSection={icon} onClick={() => openCreateWebhook()}>
      {webhooksText.newEndpoint}
    </Button>
  );
  const needsPlan = isApiError(query.error) && query.error.code === 'plan_required';
  return (
    <Page title={webhooksText.title} actions={needsPlan ? null : create}>
      {needsPlan ? (
        <Panel>
          <Empty
            title={webhooksText.noPlan.title}
            action={
              service.sign_up && <LinkButton to="/settings/plan">{webhooksText.noPlan.action}</LinkButton>
            }
          >
            {webhooksText.noPlan.text}
          </Empty>
        </Panel>
      ) : (
        <QueryView query={query}>
          {({ data }) => (
            <Panel>
              {data.length === 0 ? (
                <Empty
                  title={webhooksText.empty.title}
                  action={create}
                  curl={curlFor('POST', '/v1/webhooks', { url: webhooksText.form.addressPlaceholder })}
                >
                  {webhooksText.empty.text}
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
    <WideTable label={webhooksText.endpoints} minWidth={520}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{webhooksText.address}</Table.Th>
          <Table.Th>{webhooksText.eventsHeading}</Table.Th>
          <Table.Th>{webhooksText.state}</Table.Th>
          <Table.Th>{webhooksText.created}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map(webhook => {
          const { label, color } = stateOf(webhook);
          return (
            <Table.Tr key={webhook.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <LinkAnchor to="/settings/webhooks/$id" params={{ id: webhook.id }} fw={500}>
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
                <Badge miw="max-content" color={color} variant="light" tt="none">
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
