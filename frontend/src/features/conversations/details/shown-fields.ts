import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useState } from 'react'
import { z } from 'zod'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'

const storageKey = 'conversation-fields'
const schema = z.array(z.string().max(64)).max(200)
/** Number of fields that the panel shows until somebody has chosen. */
const usualCount = 8

/** A field of a contact as the panel shows and edits it. */
export type ContactField = Pick<Attribute, 'name' | 'label' | 'type' | 'choices'>

/** The fields that a contact may have, those that this person sees on this device, and a setter. */
export function useShownFields({ attributes }: Pick<Contact, 'attributes'>) {
  const defined = useAttributes()
  const [chosen, setChosen] = useState(read)
  const names = [...new Set(['city', ...defined.map(({ name }) => name), ...Object.keys(attributes)])]
  const all = names.map(
    (name): ContactField =>
      defined.find((attribute) => attribute.name === name) ?? {
        name,
        label: attributeLabel(name, defined),
        type: 'text',
        choices: [],
      },
  )
  const shown = chosen ? all.filter(({ name }) => chosen.includes(name)) : all.slice(0, usualCount)
  const choose = (names: readonly string[]) => {
    setChosen(names)
    try {
      localStorage.setItem(storageKey, JSON.stringify(names))
    } catch {
      // The choice lasts as long as the page if storage fails.
    }
  }
  const toggle = (name: string) => {
    // Choices of other contacts' fields stay.
    const before = chosen ?? shown.map((field) => field.name)
    choose(before.includes(name) ? before.filter((other) => other !== name) : [...before, name])
  }
  return { all, shown, toggle }
}

function read(): readonly string[] | undefined {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(storageKey) ?? ''))
  } catch {
    return undefined
  }
}
