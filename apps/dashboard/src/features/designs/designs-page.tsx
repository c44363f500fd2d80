import { Badge, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Design } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { designsText } from '../../strings/designs.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkAnchor, LinkButton } from '../../ui/router-link.tsx';
import { previewLink } from '../codes/new-code.ts';
import { useMe } from '../shell/me.ts';
import { useRefusal, useRoleRefusal } from '../shell/use-refusal.ts';
import { DesignMenu } from './design-menu.tsx';
import classes from './designs-page.module.css';
import { useFrame } from './frames.ts';
import { LogosPanel } from './logos-panel.tsx';
import { QrImage } from './qr-image.tsx';
import { designsQuery } from './queries.ts';

const text = designsText.list;

/** Saved designs, each as it looks, and the logos that there are. */
export function DesignsPage() {
  const mode = useMode();
  const query = useQuery(designsQuery(mode));
  return (
    <Page title={designsText.title} actions={<NewDesign />}>
      <Stack gap="lg">
        <QueryView query={query} lines={2} height={200}>
          {designs =>
            designs.length === 0 ? (
              <Panel>
                <Empty title={text.emptyTitle} action={<NewDesign />}>
                  {text.emptyText}
                </Empty>
              </Panel>
            ) : (
              <SimpleGrid
                cols={{ base: 2, sm: 3, lg: 4 }}
                spacing="md"
                component="ul"
                className={classes.list}
                aria-label={text.label}
              >
                {designs.map(design => (
                  <DesignCard key={design.id} design={design} />
                ))}
              </SimpleGrid>
            )
          }
        </QueryView>
        <LogosPanel />
      </Stack>
    </Page>
  );
}

function NewDesign() {
  const refusal = useRefusal('designs:write');
  const isAllowed = useRoleRefusal('designs:write') === undefined;
  const icon = <IconPlus size={18} aria-hidden />;
  if (!isAllowed) return null;
  if (refusal)
    return (
      <RefusedButton reason={refusal} leftSection={icon}>
        {designsText.new}
      </RefusedButton>
    );
  return (
    <LinkButton to="/designs/new" leftSection={icon}>
      {designsText.new}
    </LinkButton>
  );
}

function DesignCard({ design }: { readonly design: Design }) {
  const { service } = useMe();
  const isAllowed = useRoleRefusal('designs:write') === undefined;
  const { id, name, style, is_default: isDefault } = design;
  const frame = useFrame(design.frame, style);
  return (
    <Paper component="li" withBorder className={classes.card}>
      {isDefault && (
        <Badge tt="none" fw={400} size="sm" variant="default" className={classes.badge}>
          {text.default}
        </Badge>
      )}
      <LinkAnchor to="/designs/$id" params={{ id }} className={classes.picture!}>
        <QrImage
          text={previewLink('', service.short_base_url)}
          style={style}
          label={text.imageOf(name)}
          {...(frame ? { frame } : {})}
        />
      </LinkAnchor>
      <Group gap={4} wrap="nowrap" className={classes.foot}>
        <div className={classes.words}>
          <LinkAnchor to="/designs/$id" params={{ id }} fw={500} size="sm" c="var(--mantine-color-text)">
            <Text span inherit truncate="end" display="block" title={name}>
              {name}
            </Text>
          </LinkAnchor>
        </div>
        {isAllowed && <DesignMenu design={design} />}
      </Group>
    </Paper>
  );
}
