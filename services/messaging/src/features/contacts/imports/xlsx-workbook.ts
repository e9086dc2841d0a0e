import { FileProblem } from './file-problem.ts'
import { readXml, type WorkbookPart, type XmlListener } from './xlsx-parts.ts'

type Parts = ReadonlyMap<string, WorkbookPart>

/** Texts that cells share are the one part of a workbook that is kept in memory. */
const mostSharedCharacters = 40_000_000

/** Formats of numbers that are dates (ECMA-376, 18.8.30); others say it by their letters. */
const isDateFormat = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)

async function read(part: WorkbookPart | undefined, listener: XmlListener): Promise<void> {
  if (!part) return
  for await (const _ of readXml(part, listener));
}

/** The part of the first sheet. @throws FileProblem where there is none. */
export async function firstSheet(parts: Parts): Promise<WorkbookPart> {
  let id: string | undefined
  await read(parts.get('xl/workbook.xml'), {
    onOpen: (name, attributes) => {
      if (name === 'sheet') id ??= Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1]
    },
  })
  let target: string | undefined
  await read(parts.get('xl/_rels/workbook.xml.rels'), {
    onOpen: (name, { Id, Target }) => {
      if (name === 'Relationship' && Id === id) target ??= Target
    },
  })
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target ?? 'worksheets/sheet1.xml'}`
  const sheet = parts.get(path)
  if (!sheet) throw new FileProblem('This is no Excel workbook. Save it as CSV and choose that file.')
  return sheet
}

/** The texts that cells name by their numbers. @throws FileProblem where they do not fit into memory. */
export async function sharedTexts(parts: Parts): Promise<string[]> {
  const texts: string[] = []
  let text: string | undefined
  let isText = false
  let isPhonetic = false
  let characters = 0
  await read(parts.get('xl/sharedStrings.xml'), {
    onOpen: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    onText: (more) => {
      if (isText && text !== undefined) text += more
    },
    onClose: (name) => {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      texts.push(text ?? '')
      characters += text?.length ?? 0
      if (characters > mostSharedCharacters)
        throw new FileProblem('The workbook is too large to be read. Save it as CSV and choose that file.')
    },
  })
  return texts
}

/** Of each style of cells, whether its numbers are dates. */
export async function dateStyles(parts: Parts): Promise<boolean[]> {
  const custom = new Map<number, boolean>()
  const styles: boolean[] = []
  let isCell = false
  await read(parts.get('xl/styles.xml'), {
    onOpen: (name, { numFmtId, formatCode = '' }) => {
      const id = Number(numFmtId)
      // Letters in quotes, in brackets or behind a backslash are texts and colours.
      if (name === 'numFmt') custom.set(id, /[dmyhs]/i.test(formatCode.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '')))
      if (name === 'cellXfs') isCell = true
      if (name === 'xf' && isCell) styles.push(custom.get(id) ?? isDateFormat(id))
    },
    onClose: (name) => {
      if (name === 'cellXfs') isCell = false
    },
  })
  return styles
}
