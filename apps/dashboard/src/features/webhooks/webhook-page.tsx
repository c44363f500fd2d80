import { Alert, Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { webhooksText } from '../../strings/webhooks.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { openEditWebhook } from './edit-webhook.tsx';
import { eventsInWords } from './events.ts';
import { webhookQuery } from './queries.ts';
import { replayDays, useWebhookActions } from './use-webhook-actions.tsx';
import { stateOf } from './webhook-state.ts';

const words = webhooksText.actions;
const route = getRouteApi('/inside/settings/webhooks/$id');

/** One endpoint: how it is, what can be done, what was sent. */
export function WebhookPage() {
  const { id } = route.useParams();
  const mode = useMode();
  const refusal = useRefusal('webhooks:write');
  const query = useQuery(webhookQuery(mode, id));
  const { update, test, replayFailed, rotate, remove } = useWebhookActions(id);
  return (
    <QueryView query={query}>
      {webhook => {
        const state = stateOf(webhook);
        return (
          <Page
            title={webhook.url}
            description={
              <Group gap="xs">
                <Badge color={state.color} variant="light" tt="none">
                  {state.label}
                </Badge>
                <Text span inherit>
                  {webhooksText.sends(eventsInWords(webhook.events))}
                </Text>
                {webhook.qr_ids && (
                  <Text span inherit>
                    {webhooksText.onlyCodes(webhook.qr_ids.length)}
                  </Text>
                )}
                {webhook.tags && (
                  <Text span inherit>
                    {webhooksText.onlyTags(webhook.tags.join(', '))}
                  </Text>
                )}
                {webhook.description}
                <LinkAnchor to="/settings/webhooks">{webhooksText.allEndpoints}</LinkAnchor>
              </Group>
            }
            actions={
              refusal ? (
                <>
                  <RefusedButton reason={refusal} leftSection={<IconSend size={16} aria-hidden />}>
                    {words.sendTest}
                  </RefusedButton>
                  <RefusedButton reason={refusal} variant="default" aria-label={words.more} px="sm">
                    <IconDots size={18} aria-hidden />
                  </RefusedButton>
                </>
              ) : (
                <>
                  <Button
                    leftSection={<IconSend size={16} aria-hidden />}
                    onClick={() => test.mutate()}
                    loading={test.isPending}
                  >
                    {words.sendTest}
                  </Button>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <Button variant="default" aria-label={words.more} px="sm">
                        <IconDots size={18} aria-hidden />
                      </Button>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => openEditWebhook(webhook)}>{words.edit}</Menu.Item>
                      <Menu.Item onClick={() => update.mutate({ enabled: !webhook.enabled })}>
                        {webhook.enabled ? words.turnOff : words.turnOn}
                      </Menu.Item>
                      <Menu.Item onClick={rotate}>{words.rotate}</Menu.Item>
                      <Menu.Item onClick={() => replayFailed.mutate()}>
                        {words.replayFailed(replayDays)}
                      </Menu.Item>
                      <Menu.Divider />
                      <Menu.Item onClick={remove}>{words.delete}</Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </>
              )
            }
          >
            {state.advice && (
              <Alert color={state.color} role="status">
                {state.advice}
              </Alert>
            )}
            {webhook.old_secret_expires_at && (
              <Alert role="status">
                {webhooksText.rotating(formatDateTime(webhook.old_secret_expires_at))}
              </Alert>
            )}
            <DeliveriesPanel id={id} />
          </Page>
        );
      }}
    </QueryView>
  );
}
