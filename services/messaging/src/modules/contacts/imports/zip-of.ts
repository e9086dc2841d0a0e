import { crc32, deflateRawSync } from 'node:zlib'

/** Builds an archive of these files, for tests. A file with a `claim` states that number of bytes as its unpacked size. */
export function zipOf(files: Record<string, string | { content: Uint8Array; claim: number }>): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, file] of Object.entries(files)) {
    const content = typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.content)
    const packed = deflateRawSync(content)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(typeof file === 'string' ? content.length : file.claim, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, path, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), common, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

interface WorkbookShape {
  readonly rows: string
  readonly styles?: string
  readonly texts?: string
  /** Attributes of `workbookPr`. */
  readonly settings?: string
}

/** Makes a workbook with one sheet of these rows, laid out as by most programs, for tests. */
export const workbookOf = ({ rows, styles = '', texts = '', settings = '' }: WorkbookShape): Buffer =>
  zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr ${settings}/><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedstrings.xml': `<sst>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
