import type { Deflate } from './png.ts';

export type PdfObject = { readonly id: number; readonly chunk: Uint8Array };

/**
 * The objects of a PDF in the order in which they are written, so that a file can be sent while it is made. PDF 1.4, which
 * every printer takes. Two objects are known before the others: the catalogue and the list of pages.
 */
export function createPdfFile(deflate: Deflate) {
  const encoder = new TextEncoder();
  const [catalogue, pageList] = [1, 2];
  const offsets: number[] = [];
  const pages: number[] = [];
  let length = 0;
  let last = pageList;

  function written(bytes: Uint8Array): Uint8Array {
    length += bytes.length;
    return bytes;
  }

  function objectAs(id: number, body: string): Uint8Array {
    offsets[id] = length;
    return written(encoder.encode(`${id} 0 obj\n${body}\nendobj\n`));
  }

  function packed(entries: string, bytes: Uint8Array): PdfObject {
    const id = ++last;
    offsets[id] = length;
    const head = encoder.encode(
      `${id} 0 obj\n<<${entries}/Filter/FlateDecode/Length ${bytes.length}>>\nstream\n`,
    );
    const tail = encoder.encode('\nendstream\nendobj\n');
    const chunk = new Uint8Array(head.length + bytes.length + tail.length);
    chunk.set(head);
    chunk.set(bytes, head.length);
    chunk.set(tail, head.length + bytes.length);
    return { id, chunk: written(chunk) };
  }

  return {
    /** Comes before everything else. */
    start(): Uint8Array[] {
      // The second line says that the file holds bytes beyond ASCII.
      const mark = written(Uint8Array.of(...encoder.encode('%PDF-1.4\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a));
      return [mark, objectAs(catalogue, `<</Type/Catalog/Pages ${pageList} 0 R>>`)];
    },

    object(body: string): PdfObject {
      const id = ++last;
      return { id, chunk: objectAs(id, body) };
    },

    async stream(entries: string, bytes: Uint8Array): Promise<PdfObject> {
      return packed(entries, await deflate(bytes));
    },

    /** Bytes that are compressed already. */
    packed,

    page(entries: string): Uint8Array {
      const id = ++last;
      pages.push(id);
      return objectAs(id, `<</Type/Page/Parent ${pageList} 0 R${entries}>>`);
    },

    /** The list of pages and the table of where each object is. */
    end(): Uint8Array[] {
      const kids = pages.map(id => `${id} 0 R`).join(' ');
      const list = objectAs(pageList, `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`);
      const rows = offsets.slice(1).map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`);
      const table = `xref\n0 ${last + 1}\n0000000000 65535 f \n${rows.join('')}`;
      const trailer = `trailer\n<</Size ${last + 1}/Root ${catalogue} 0 R>>\nstartxref\n${length}\n%%EOF\n`;
      return [list, encoder.encode(table + trailer)];
    },
  };
}
