import { useState } from 'react'
import { z } from 'zod'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'

const storageKey = 'contact-columns'
const schema = z.array(z.string().max(80)).max(120)

/** Column of a table of contacts beside the name, by key: `attributes.` and the name of a field for its values. */
export interface Column {
  readonly key: string
  readonly label: string
}

const usual: readonly string[] = ['phone', 'tags', 'last']

/** The columns that there are, those that this person sees on this device, and a setter. */
export function useColumns() {
  const defined = useAttributes()
  const [chosen, setChosen] = useState(read)
  const all: readonly Column[] = [
    { key: 'phone', label: 'Phone' },
    { key: 'tags', label: 'Tags' },
    { key: 'attributes.city', label: attributeLabel('city', defined) },
    ...defined.map(({ name, label }) => ({ key: `attributes.${name}`, label })),
    { key: 'marketing', label: 'Marketing' },
    { key: 'source', label: 'Source' },
    { key: 'added', label: 'Added' },
    { key: 'last', label: 'Last contact' },
  ]
  const choose = (keys: readonly string[]) => {
    setChosen(keys)
    try {
      if (keys === usual) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, JSON.stringify(keys))
    } catch {
      // The choice lasts as long as the page if storage fails.
    }
  }
  return {
    all,
    shown: all.filter(({ key }) => chosen.includes(key)),
    choose,
    toggle: (key: string) => choose(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]),
    reset: chosen === usual ? undefined : () => choose(usual),
  }
}
export type Columns = ReturnType<typeof useColumns>

function read(): readonly string[] {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(storageKey) ?? ''))
  } catch {
    return usual
  }
}
