import { Box, Grid, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { Panel } from '../../ui/panel.tsx';
import { CodeLinks } from './code-links.tsx';
import { DownloadImage } from './download-image.tsx';
import { EditCode } from './edit-code.tsx';
import { LiveArrivals } from './live-arrivals.tsx';
import { QrImage } from './qr-image.tsx';
import { codeQuery } from './queries.ts';
import { StyleWarning } from './style-warning.tsx';

const route = getRouteApi('/inside/codes/$id/');

export function CodeOverview() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          <LiveArrivals code={code} />
          <Panel title="Where it leads">
            <CodeLinks code={code} />
            <EditCode key={`${code.name} ${code.destination_url}`} code={code} />
          </Panel>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel title="Image">
          <Box maw={300} mx="auto" w="100%">
            <QrImage text={code.short_url} style={code.style} label={`QR code of ${code.name}`} />
          </Box>
          {code.scannability.level !== 'good' && (
            <StyleWarning grade={code.scannability} unreadable={false} />
          )}
          <DownloadImage code={code} />
        </Panel>
      </Grid.Col>
    </Grid>
  );
}
