import { Badge, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import type { DeliveryDetail } from '@signpost/contract';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { formatDateTime, formatNumber } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { deliveryQuery } from './queries.ts';
import { deliveryColors, outcomeOf, waitOf } from './webhook-state.ts';

const words = webhooksText.delivery;

type Props = { readonly id: string | null; readonly onClose: () => void };

/** One delivery: what was sent, what came back at each attempt, and the way to send it again. */
export function DeliveryDrawer({ id, onClose }: Props) {
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="lg" title={words.title}>
      {id && <Opened id={id} />}
    </Drawer>
  );
}

function Opened({ id }: { readonly id: string }) {
  const mode = useMode();
  const client = useQueryClient();
  const query = useQuery(deliveryQuery(mode, id));
  const refusal = useRefusal('webhooks:write');
  const look = { variant: 'default', size: 'sm', leftSection: <IconRefresh size={16} aria-hidden /> };
  const replay = useMutation({
    mutationFn: () => call('replayWebhookDelivery', { params: { id } }),
    onSuccess: async () => {
      notifyDone(words.replaying);
      await client.invalidateQueries({ queryKey: [mode, 'delivery', id] });
      await client.invalidateQueries({ queryKey: [mode, 'webhooks'] });
    },
    onError: error => notifyProblem(error, words.notReplayed),
  });
  return (
    <QueryView query={query}>
      {delivery => (
        <Stack gap="lg">
          <Group justify="space-between">
            <Group gap="xs">
              <Badge variant="light" color={deliveryColors[delivery.status]} tt="none">
                {webhooksText.deliveries[delivery.status]}
              </Badge>
              <Text size="sm" c="dimmed">
                {delivery.test
                  ? words.testAt(formatDateTime(delivery.created_at))
                  : formatDateTime(delivery.created_at)}
              </Text>
            </Group>
            {refusal ? (
              <RefusedButton reason={refusal} {...look}>
                {words.replay}
              </RefusedButton>
            ) : (
              <Button {...look} onClick={() => replay.mutate()} loading={replay.isPending}>
                {words.replay}
              </Button>
            )}
          </Group>
          <Stack gap="xs">
            <Title order={3} fz="md">
              {words.request}
            </Title>
            <Snippet text={readable(delivery.body)} what={words.requestBody} />
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {words.id(delivery.id)}
            </Text>
          </Stack>
          <Attempts delivery={delivery} />
        </Stack>
      )}
    </QueryView>
  );
}

function Attempts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const newestFirst = delivery.attempt_log.toReversed();
  return (
    <Stack gap="md">
      <Title order={3} fz="md">
        {words.responses}
      </Title>
      {waitOf(delivery) && <Text c="dimmed">{waitOf(delivery)}</Text>}
      {newestFirst.length === 0 && !waitOf(delivery) && <Text c="dimmed">{words.firstOnItsWay}</Text>}
      {newestFirst.map(attempt => (
        <Stack gap={6} key={attempt.at}>
          <Group gap="xs">
            <Badge variant="light" color={attempt.succeeded ? 'signpost' : 'red'} tt="none">
              {outcomeOf(attempt)}
            </Badge>
            <Text size="sm" c="dimmed" className="figures">
              {words.took(formatDateTime(attempt.at), formatNumber(attempt.duration_ms))}
            </Text>
          </Group>
          {attempt.response_body && <Snippet text={attempt.response_body} what={words.responseBody} />}
        </Stack>
      ))}
      {delivery.next_attempt_at && (
        <Text size="sm" c="dimmed">
          {words.nextAttempt(formatDateTime(delivery.next_attempt_at))}
        </Text>
      )}
    </Stack>
  );
}

/** JSON with line breaks; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
