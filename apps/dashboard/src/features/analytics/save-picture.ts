import { saveFile } from '../../ui/save-file.ts';

/** What the look of a chart depends on; a picture has no style sheet. */
const looks = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-family'];
const scale = 2;
const headPx = 40;

/** The chart as it is on screen, with its title above, as a PNG of twice its size. */
export async function savePicture(chart: SVGSVGElement, title: string, name: string): Promise<void> {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const shown = [...chart.querySelectorAll<SVGElement>('*')];
  for (const [at, element] of [...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(shown[at]!);
    for (const look of looks) element.style.setProperty(look, style.getPropertyValue(look));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();

  const { width, height } = chart.getBoundingClientRect();
  const body = getComputedStyle(document.body);
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = (height + headPx) * scale;
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  context.fillStyle = body.getPropertyValue('--mantine-color-body') || '#fff';
  context.fillRect(0, 0, width, height + headPx);
  context.fillStyle = body.color;
  context.font = `500 15px ${body.fontFamily}`;
  context.fillText(title, 12, 26, width - 24);
  context.drawImage(image, 0, headPx, width, height);
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('the canvas gave no picture');
  saveFile(blob, name);
}
