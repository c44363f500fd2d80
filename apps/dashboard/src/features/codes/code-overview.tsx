import { Box, Grid, Stack } from '@mantine/core';
import { gradeStyle } from '@signpost/qr';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Panel } from '../../ui/panel.tsx';
import { QrImage } from '../designs/qr-image.tsx';
import { StyleWarning } from '../designs/style-warning.tsx';
import { CodeLinks } from './code-links.tsx';
import { EditCode } from './edit-code.tsx';
import { LiveArrivals } from './live-arrivals.tsx';
import { NotPublic } from './not-public.tsx';
import { OrganisePanel } from './organise-panel.tsx';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/$id/');
const text = codesText.page;

export function CodeOverview() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  return (
    <Grid gap="lg">
      {/* On a phone the picture comes first: it is what most people open the page for. */}
      <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
        <Stack gap="lg">
          <LiveArrivals code={code} />
          <Panel title={text.details}>
            <CodeLinks code={code} />
            <EditCode key={code.id} code={code} />
          </Panel>
          <OrganisePanel key={code.id} code={code} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
        <Panel title={text.image}>
          <Box maw={{ base: 220, md: 300 }} mx="auto" w="100%">
            <QrImage text={code.short_url} style={code.style} label={codesText.imageOf(code.name)} />
          </Box>
          {gradeStyle(code.style).level !== 'good' && (
            <StyleWarning style={code.style} link={code.short_url} />
          )}
          <NotPublic url={code.short_url} />
        </Panel>
      </Grid.Col>
    </Grid>
  );
}
