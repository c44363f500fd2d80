import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { printedText, quietModules, type Style, toCompact, widthInModules } from '@signpost/qr';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { printText } from '../../strings/print.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { NewCodeButton } from '../codes/new-code-button.tsx';
import { codesQuery } from '../codes/queries.ts';
import { QrImage } from '../designs/qr-image.tsx';
import classes from './compare-page.module.css';
import type { PrintedCode } from './use-printed-codes.ts';

const text = printText.compare;
/** Whole pixels: with its quiet zone each code takes the same width on paper. */
const modulePx = 10;
/** From the smallest that some phones read to one that all do. */
const widthsMm = [12, 16, 20, 30];

/** The usual and the smaller code of one link side by side, to print and try with phones. */
export function ComparePage() {
  const query = useQuery(codesQuery(useMode(), {}));
  return (
    <Page title={text.title} description={text.description}>
      <QueryView query={query}>
        {({ data }) => {
          const codes = data.filter(({ short_url }) => toCompact(short_url));
          return codes.length === 0 ? (
            <Paper withBorder>
              <Empty title={text.emptyTitle} action={<NewCodeButton />}>
                {text.emptyText}
              </Empty>
            </Paper>
          ) : (
            <Comparison codes={codes} />
          );
        }}
      </QueryView>
    </Page>
  );
}

function Comparison({ codes }: { readonly codes: readonly PrintedCode[] }) {
  const [id, setId] = useState(codes[0]!.id);
  const code = codes.find(one => one.id === id) ?? codes[0]!;
  const { compact: _, ...usual } = code.style;
  const kinds = [
    { name: text.usual, style: usual },
    { name: text.compact, style: { ...usual, compact: true } },
  ];
  return (
    <Stack gap="lg">
      <Group align="flex-end">
        <Select
          label={text.code}
          data={codes.map(one => ({ value: one.id, label: one.name }))}
          value={code.id}
          onChange={next => setId(next ?? code.id)}
          allowDeselect={false}
          searchable
          flex="1 1 14rem"
          maw={420}
        />
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          {text.print}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {printText.actualSize}
      </Text>
      <section className={classes.sheet} aria-label={text.sheet}>
        {kinds.map(kind => (
          <Kind key={kind.name} name={kind.name} link={code.short_url} style={kind.style} />
        ))}
      </section>
    </Stack>
  );
}

type KindProps = { readonly name: string; readonly link: string; readonly style: Style };

function Kind({ name, link, style }: KindProps) {
  const width = widthInModules(link, style);
  return (
    <div className={classes.kind}>
      <p className={classes.name}>{name}</p>
      <p className={classes.link}>
        {text.dots(width - 2 * quietModules)}
        <br />
        {printedText(link, style.compact)}
      </p>
      {widthsMm.map(mm => (
        <figure key={mm} className={classes.figure}>
          <div style={{ width: `${mm}mm` }}>
            <QrImage text={link} style={style} label={text.imageOf(name, mm)} sizePx={width * modulePx} />
          </div>
          <figcaption>{text.width(mm)}</figcaption>
        </figure>
      ))}
    </div>
  );
}
