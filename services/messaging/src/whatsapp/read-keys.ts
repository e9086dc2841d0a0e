import { type Component, examplesOf } from './component-schema.ts'

type Samples = Readonly<Record<string, string>>

/** Keys and samples of the variables of a template that is read. */
export interface Keys {
  readonly samples: Samples
  /** Returns a further variable as it is written. */
  readonly next: (sample: string | undefined) => string
  /** Returns the text of a header or card; in it a number that comes twice is one variable. */
  readonly text: (part: 'header' | 'body', component: Component) => string
  /** Returns our own text with its variable renamed. @param samplesHere its samples, before that of WhatsApp. */
  readonly own: (words: string, samplesHere: Samples, sampleThere?: string) => string
  /** Begins keys that follow these, with samples of their own: those of parts that may turn out to be unreadable. */
  readonly further: () => Keys
}

/** Variable in the address, code or product of a button, or of a product above the text. */
const variable = /\{\{(\w+)\}\}/

/**
 * Gives the variables of a template that is read their keys, and keeps their samples. Positional variables begin with 1 in each
 * part at WhatsApp; here one set of keys is for the whole template.
 * @param last number of the last key that is taken. `samples` takes those of the further keys.
 */
export function createKeys(isNamed: boolean, last: number, samples: Record<string, string>): Keys {
  let count = last

  function next(sample: string | undefined): string {
    count += 1
    const key = isNamed ? `link_${count}` : String(count)
    if (sample !== undefined) samples[key] = sample
    return `{{${key}}}`
  }

  return {
    samples,
    next,
    text(part, component) {
      const known = examplesOf(part, component)
      if (isNamed) {
        Object.assign(samples, known)
        return component.text ?? ''
      }
      const keys = new Map<string, string>()
      return (component.text ?? '').replace(/\{\{(\d+)\}\}/g, (_, number: string) => {
        const key = keys.get(number) ?? next(known[number])
        keys.set(number, key)
        return key
      })
    },
    own: (words, samplesHere, sampleThere) =>
      words.replace(variable, (_, key: string) => next(samplesHere[key] ?? sampleThere)),
    further: () => createKeys(isNamed, count, {}),
  }
}
