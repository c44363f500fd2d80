import { Alert, Box, Button, Grid, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { logoPlanFor, smallestSafeMm, toCompact } from '@signpost/qr';
import { labelParts } from '@signpost/qr/labels';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { printText } from '../../strings/print.ts';
import { Dot } from '../../ui/dot.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Problem } from '../../ui/problem.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { NewCodeButton } from '../codes/new-code-button.tsx';
import { codesQuery } from '../codes/queries.ts';
import { DesignSelect } from '../designs/design-select.tsx';
import { designsQuery } from '../designs/queries.ts';
import { CodePicker } from './code-picker.tsx';
import { FileFields } from './file-fields.tsx';
import {
  codesFault,
  copiesFault,
  layoutFault,
  type PrintJob,
  sheetBody,
  sheetCount,
  sheetOf,
  sizeFault,
  startJob,
  zipBody,
} from './print-job.ts';
import { type PrintSearch, parsePrintSearch } from './search.ts';
import { SheetFields } from './sheet-fields.tsx';
import { SheetPreview } from './sheet-preview.tsx';
import { mostPreviewed, type PrintedCode, usePrintedCodes } from './use-printed-codes.ts';

const route = getRouteApi('/inside/print');
const whats = ['sheet', 'zip'] as const;

/** Many codes at once: on sheets of labels, or as files. */
export function PrintPage() {
  const { ids = [], placements = false } = useChosen(route.useSearch());
  const query = useQuery(codesQuery(useMode(), {}));
  return (
    <Page title={printText.title}>
      <QueryView query={query}>
        {({ pagination }) =>
          pagination.total === 0 ? (
            <Paper withBorder>
              <Empty title={printText.codes.emptyTitle} action={<NewCodeButton />}>
                {printText.codes.emptyText}
              </Empty>
            </Paper>
          ) : (
            <PrintForm chosen={ids} inPlacements={placements} key={ids.join()} />
          )
        }
      </QueryView>
    </Page>
  );
}

/** The codes that were chosen elsewhere. Many go with the entry in the history, since an address has no room for them. */
function useChosen(search: PrintSearch): PrintSearch {
  const { printed } = useLocation({ select: ({ state }) => state });
  return printed === undefined ? search : parsePrintSearch({ ...search, ids: printed });
}

type FormProps = { readonly chosen: readonly string[]; readonly inPlacements: boolean };

function PrintForm({ chosen, inPlacements }: FormProps) {
  const mode = useMode();
  const [job, setJob] = useState(() => startJob(chosen, inPlacements));
  const change = (part: Partial<PrintJob>) => setJob(before => ({ ...before, ...part }));
  const { data: found } = useQuery(codesQuery(mode, job.search));
  const { data: designs = [] } = useQuery(designsQuery(mode));
  const design = designs.find(({ id }) => id === job.design) ?? null;
  const codes = usePrintedCodes(job, found?.data ?? [], design);
  const codeCount = job.which === 'chosen' ? job.chosen.length : (found?.pagination.total ?? 0);
  // With placements a lower bound, unless every code is read.
  const count = Math.max(codeCount, job.inPlacements ? codes.length : 0);
  const readable = job.which === 'chosen' ? mostPreviewed : (found?.data.length ?? 0);
  const isExact = !job.inPlacements || codeCount <= readable;
  const isSheet = job.what === 'sheet';
  const hasNoRoom = codes.some(
    ({ short_url, style }) => style.logo && !logoPlanFor(short_url, style.logo, style.compact),
  );
  const usual = codes.filter(({ short_url, style }) => style.compact && !toCompact(short_url));
  const fault =
    codesFault(job, found?.pagination.total) ??
    (isSheet ? (layoutFault(job) ?? copiesFault(job, count)) : sizeFault(job)) ??
    (hasNoRoom ? printText.sheet.noRoom : null);
  const make = useMutation({
    mutationFn: () =>
      isSheet ? call('createSheet', { body: sheetBody(job) }) : call('zipImages', { body: zipBody(job) }),
    onSuccess: blob => saveFile(blob, isSheet ? printText.sheetName : printText.zipName),
  });
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (fault === null) make.mutate();
      }}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <div>
              <SegmentedControl
                fullWidth
                aria-label={printText.what}
                value={job.what}
                onChange={what => change({ what: what as PrintJob['what'] })}
                data={whats.map(value => ({ value, label: printText.whats[value] }))}
              />
              <Text size="xs" c="dimmed" mt={6}>
                {printText.whatHints[job.what]}
              </Text>
            </div>
            <Panel title={printText.codes.title}>
              <CodePicker job={job} onChange={change} found={found} />
            </Panel>
            <Panel title={isSheet ? printText.sheet.title : printText.files.title}>
              {isSheet ? (
                <SheetFields job={job} count={count} onChange={change} />
              ) : (
                <FileFields job={job} onChange={change} />
              )}
              <DesignSelect
                label={printText.design}
                own={printText.ownDesign}
                description={printText.designHint}
                value={job.design}
                onChange={chosenDesign => change({ design: chosenDesign?.id ?? null })}
              />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Box pos="sticky" top={84}>
            <Panel title={printText.preview}>
              {isSheet && layoutFault(job) === null && copiesFault(job, count) === null && (
                <SheetPreview job={job} codes={codes} count={count} />
              )}
              <Summary
                job={job}
                codes={codes}
                count={job.what === 'zip' ? codeCount : count}
                isExact={isExact}
              />
              {usual.length > 0 && <Warning color="yellow">{printText.notCompact(nameSome(usual))}</Warning>}
              {hasNoRoom && <Warning color="red">{printText.sheet.noRoom}</Warning>}
              {make.error && <Problem error={make.error} title={printText.failed} />}
              <Button
                type="submit"
                leftSection={<IconDownload size={16} aria-hidden />}
                loading={make.isPending}
                disabled={fault !== null}
              >
                {isSheet ? printText.makeSheet : printText.makeZip}
              </Button>
            </Panel>
          </Box>
        </Grid.Col>
      </Grid>
    </form>
  );
}

type SummaryProps = {
  readonly job: PrintJob;
  readonly codes: readonly PrintedCode[];
  readonly count: number;
  readonly isExact: boolean;
};

/** How much will be printed, and whether it can be read then. */
function Summary({ job, codes, count, isExact }: SummaryProps) {
  if (count === 0) return null;
  if (job.what === 'zip')
    return (
      <Text size="sm" className="figures">
        {printText.fileSummary(count)}
      </Text>
    );
  if (layoutFault(job) !== null || copiesFault(job, count) !== null) return null;
  const { labels, sheets } = sheetCount(job, count);
  const { width } = labelParts(sheetOf(job), job.caption !== 'none').code;
  const safe = Math.max(
    0,
    ...codes.filter(isDrawable).map(({ short_url, style }) => smallestSafeMm(short_url, style)),
  );
  return (
    <>
      <div>
        <Text size="sm" className="figures">
          {isExact ? (
            <>
              {printText.labels(labels)}
              <Dot />
              {printText.sheets(sheets)}
            </>
          ) : (
            printText.atLeast(labels)
          )}
        </Text>
        <Text size="xs" c="dimmed">
          {printText.actualSize}
        </Text>
      </div>
      {width < safe && (
        <Warning color="orange">{printText.sheet.tooSmall(formatNumber(width), safe)}</Warning>
      )}
    </>
  );
}

const mostNamed = 5;

/** The first of some codes by their names. */
function nameSome(codes: readonly PrintedCode[]): string {
  const names = [...new Set(codes.map(({ name }) => name))];
  const named = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${named}, …` : named;
}

const isDrawable = ({ short_url, style }: PrintedCode) =>
  !style.logo || logoPlanFor(short_url, style.logo, style.compact) !== null;

function Warning({ color, children }: { readonly color: string; readonly children: string }) {
  return (
    <Alert color={color} icon={<IconAlertTriangle aria-hidden />} role="status">
      {children}
    </Alert>
  );
}
