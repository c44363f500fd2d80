import { Checkbox, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import { captions } from '@signpost/contract/values.ts';
import { type SheetLayout, sheetLayouts, sheetPages } from '@signpost/qr';
import { printText } from '../../strings/print.ts';
import { copiesFault, layoutFault, type PrintJob } from './print-job.ts';

type Props = {
  readonly job: PrintJob;
  /** How many codes, or placements of codes, are printed. */
  readonly count: number;
  readonly onChange: (part: Partial<PrintJob>) => void;
};

const text = printText.sheet;

/** The sheet of labels, what is beside each code, and how many of each. */
export function SheetFields({ job, count, onChange }: Props) {
  const fault = layoutFault(job);
  return (
    <Stack gap="md">
      <Select
        label={text.layout}
        data={[...sheetLayouts, 'own' as const].map(value => ({ value, label: text.layouts[value] }))}
        value={job.layout}
        onChange={value => onChange({ layout: value as PrintJob['layout'] })}
        allowDeselect={false}
        error={fault}
      />
      {job.layout === 'own' && <OwnSheet own={job.own} onChange={own => onChange({ own })} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={text.caption}
          description={text.captionHint}
          data={captions.map(value => ({ value, label: text.captions[value] }))}
          value={job.caption}
          onChange={value => onChange({ caption: value as PrintJob['caption'] })}
          allowDeselect={false}
        />
        <NumberInput
          label={text.copies}
          value={Number.isNaN(job.copies) ? '' : job.copies}
          onChange={value => onChange({ copies: numberOf(value) })}
          min={1}
          allowDecimal={false}
          error={copiesFault(job, count)}
        />
      </SimpleGrid>
      <Checkbox
        label={text.placements}
        checked={job.inPlacements}
        onChange={event => onChange({ inPlacements: event.currentTarget.checked })}
      />
    </Stack>
  );
}

const numberOf = (value: number | string): number => (typeof value === 'number' ? value : Number.NaN);

type OwnProps = { readonly own: SheetLayout; readonly onChange: (own: SheetLayout) => void };

/** The measures that are printed on the packet of a sheet. */
function OwnSheet({ own, onChange }: OwnProps) {
  const { margin_mm: margin, pitch_mm: pitch, label_mm: label } = own;
  const field = (
    name: string,
    value: number,
    change: (value: number) => Partial<SheetLayout>,
    isCount = false,
  ) => (
    <NumberInput
      key={name}
      label={name}
      value={Number.isNaN(value) ? '' : value}
      onChange={next => onChange({ ...own, ...change(numberOf(next)) })}
      min={0}
      decimalScale={isCount ? 0 : 2}
      allowDecimal={!isCount}
    />
  );
  return (
    <Stack gap="sm">
      <Select
        label={text.page}
        data={sheetPages.map(value => ({ value, label: text.pages[value] }))}
        value={own.page}
        onChange={value => onChange({ ...own, page: value as SheetLayout['page'] })}
        allowDeselect={false}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
        {field(text.columns, own.columns, columns => ({ columns }), true)}
        {field(text.rows, own.rows, rows => ({ rows }), true)}
        {field(text.labelX, label.x, x => ({ label_mm: { ...label, x } }))}
        {field(text.labelY, label.y, y => ({ label_mm: { ...label, y } }))}
        {field(text.marginX, margin.x, x => ({ margin_mm: { ...margin, x } }))}
        {field(text.marginY, margin.y, y => ({ margin_mm: { ...margin, y } }))}
        {field(text.pitchX, pitch.x, x => ({ pitch_mm: { ...pitch, x } }))}
        {field(text.pitchY, pitch.y, y => ({ pitch_mm: { ...pitch, y } }))}
      </SimpleGrid>
    </Stack>
  );
}
