import { Button, Group, Stack } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { Empty } from '../../ui/empty.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { codeQuery } from '../codes/queries.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { AddPlacement } from './add-placement.tsx';
import { ImportPlacements } from './import-placements.tsx';
import { placementsCsv } from './placement-rows.ts';
import { PlacementsList } from './placements-list.tsx';

const route = getRouteApi('/inside/codes/$id/placements');

/** Where a code is printed, each place with its link, its figures and its image. */
export function CodePlacements() {
  const { id } = route.useParams();
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const hasPlaces = code.placements.length > 0;
  return (
    <Panel title={text.title} description={text.hint} aside={<Files code={code} isRefused={isRefused} />}>
      <Stack gap="lg">
        {!hasPlaces && <Empty title={text.empty.title}>{text.empty.body}</Empty>}
        {!isRefused && <AddPlacement code={code} />}
        {hasPlaces && <PlacementsList code={code} />}
      </Stack>
    </Panel>
  );
}

/** Many places at once: from a file, to a file, on sheets of labels. */
function Files({ code, isRefused }: { readonly code: QrCode; readonly isRefused: boolean }) {
  return (
    <Group gap="sm">
      {!isRefused && <ImportPlacements code={code} />}
      {code.placements.length > 0 && (
        <>
          <Button
            variant="default"
            onClick={() => saveFile(csvOf(code), `${code.short_code}-placements.csv`)}
          >
            {text.save}
          </Button>
          <LinkButton variant="default" to="/print" search={{ ids: [code.id], placements: true }}>
            {text.print}
          </LinkButton>
        </>
      )}
    </Group>
  );
}

const csvOf = ({ placements }: QrCode) =>
  new Blob([placementsCsv(placements)], { type: 'text/csv;charset=utf-8' });
