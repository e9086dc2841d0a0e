import { meaningOf, type NamePart, nameParts } from './header-names.ts'
import type { PlannedColumn } from './import-plan.ts'

/** A column of names: where it stands and which part it has; `undefined` where its header does not say. */
export interface NameColumn {
  readonly index: number
  readonly part: NamePart | undefined
}

/** Returns the columns of names in the order in which they are joined. */
export function nameColumnsOf(columns: readonly PlannedColumn[]): NameColumn[] {
  const order = (part: NamePart | undefined) => nameParts.indexOf(part ?? 'bare')
  return columns
    .flatMap(({ header, target }, index) => {
      const meaning = target === 'name' ? meaningOf(header) : undefined
      return target === 'name' ? [{ index, part: meaning?.kind === 'name' ? meaning.part : undefined }] : []
    })
    .sort((a, b) => order(a.part) - order(b.part))
}

/** The whole name where there is one, else its parts; what another part says already is left out. */
export function readRowName(columns: readonly NameColumn[], textAt: (index: number) => string): string {
  const parts = columns.flatMap(({ index, part }) => {
    const text = textAt(index).replace(/\s+/g, ' ').trim()
    return text === '' ? [] : [{ text, part }]
  })
  const whole = parts.find(({ part }) => part === 'full')
  if (whole) return whole.text
  const words = (text: string) => text.toLowerCase().split(/[\s,]+/)
  const isIn = (text: string, other: string) => words(text).every((word) => words(other).includes(word))
  return parts
    .filter(({ text }, at) =>
      parts.every(({ text: other }, index) => index === at || !isIn(text, other) || (isIn(other, text) && index > at)),
    )
    .map(({ text }) => text)
    .join(' ')
}

/** True where something in it can be read aloud: question marks and boxes of a wrong encoding are no name. */
export const hasLetters = (name: string): boolean => /[\p{L}\p{N}]/u.test(name)
