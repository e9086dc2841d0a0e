import { FileProblem } from './file-text.ts'
import { builtInFormat, type CellFormat, formatOf } from './xlsx-formats.ts'
import { readXml, tooLarge, type WorkbookPart, type WorkbookParts, type XmlListener } from './xlsx-parts.ts'

/** A table of a workbook. */
export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly part: WorkbookPart
}

export interface Workbook {
  /** Sheets in the order of their tabs, without those that hold only a chart. */
  readonly sheets: readonly Sheet[]
  readonly is1904: boolean
  readonly texts: WorkbookPart | undefined
  readonly styles: WorkbookPart | undefined
}

const maxSheets = 500
/** Maximum styles: Excel has 65,490. */
const maxStyles = 70_000

async function read(part: WorkbookPart | undefined, listener: XmlListener): Promise<void> {
  if (!part) return
  for await (const _ of readXml(part, listener));
}

interface Relation {
  readonly id: string
  /** The last word of its address: Strict and Transitional workbooks differ in the rest. */
  readonly type: string
  readonly target: string
}

/** The parts that a part names, by the rules of its package: relative to its own folder. */
async function relationsOf(parts: WorkbookParts, path: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  await read(parts.get(`${folder}_rels/${path.slice(folder.length)}.rels`), {
    onOpen: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return
      if (relations.length >= maxSheets * 4) throw tooLarge()
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: resolved(folder, Target) })
    },
  })
  return relations
}

const resolved = (folder: string, target: string): string => {
  const path = target.replaceAll('\\', '/')
  return decodeURI(new URL(path, `file:///${folder}`).pathname.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
    .slice(1)
    .toLowerCase()
}

/** @throws FileProblem where it is no workbook. */
export async function workbookOf(parts: WorkbookParts): Promise<Workbook> {
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')
  const path = main && parts.has(main.target) ? main.target : 'xl/workbook.xml'
  const relations = await relationsOf(parts, path)
  const sheets: Sheet[] = []
  let is1904 = false
  await read(parts.get(path), {
    onOpen: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1]
      const relation = relations.find((one) => one.id === id)
      const part = parts.get(relation?.target ?? '')
      if (!part || relation?.type === 'chartsheet' || relation?.type === 'dialogsheet') return
      if (sheets.length >= maxSheets) throw tooLarge()
      const { name: title = '', state = 'visible' } = attributes
      sheets.push({ name: title.slice(0, 100), isHidden: state !== 'visible', part })
    },
  })
  // Some programs write no relations.
  const only = parts.get('xl/worksheets/sheet1.xml')
  if (sheets.length === 0 && only && parts.has(path)) sheets.push({ name: 'Sheet1', isHidden: false, part: only })
  if (sheets.length === 0) throw new FileProblem('This is no Excel workbook. Save it as CSV and choose that file.')
  const partOf = (type: string) =>
    parts.get(relations.find((one) => one.type === type)?.target ?? `xl/${type.toLowerCase()}.xml`)
  return { sheets, is1904, texts: partOf('sharedStrings'), styles: partOf('styles') }
}

/** The sheet of this name, else the first one that people see. @throws FileProblem where it is no longer there. */
export function chosenSheet({ sheets }: Workbook, name: string | undefined): Sheet {
  const sheet =
    name === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find((one) => one.name === name)
  if (!sheet) throw new FileProblem('The workbook has no sheet of this name. Choose another one.')
  return sheet
}

/** Returns the number format of each style of cells. @throws FileProblem for more styles than a workbook has. */
export async function formatsOf({ styles }: Workbook): Promise<CellFormat[]> {
  const custom = new Map<number, CellFormat>()
  const formats: CellFormat[] = []
  let isCell = false
  await read(styles, {
    onOpen: (name, { numFmtId, formatCode = '' }) => {
      const id = Number(numFmtId)
      if (name === 'numFmt') custom.set(id, formatOf(formatCode))
      if (name === 'cellXfs') isCell = true
      if (name === 'xf' && isCell) formats.push(custom.get(id) ?? builtInFormat(id))
      if (formats.length > maxStyles || custom.size > maxStyles) throw tooLarge()
    },
    onClose: (name) => {
      if (name === 'cellXfs') isCell = false
    },
  })
  return formats
}
