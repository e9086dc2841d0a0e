import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { type Difference, differencesOf, mergedValues } from './differences.ts'

interface Editing<V extends FieldValues, R> {
  readonly form: UseFormReturn<V>
  /** The record that the form is over; absent for a new one. */
  readonly record: R | undefined
  readonly valuesOf: (record: R) => V
  /** The fields that a person can tell apart, by the names that the form gives them. */
  readonly labels: Partial<Readonly<Record<Path<V>, string>>>
}

/**
 * Holds the record as it was when the form opened: its version goes along with a save, so that no change is lost. Where the save
 * is refused for that, `merge` brings in the stored values; the person's own changes stay on top.
 */
export function useConflict<V extends FieldValues, R>({ form, record, valuesOf, labels }: Editing<V, R>) {
  const [seen, setSeen] = useState(record)
  const [differences, setDifferences] = useState<readonly Difference<Path<V>>[]>([])

  function fill(values: V, stored: V): void {
    form.reset(stored)
    for (const [name, value] of Object.entries(values)) form.setValue(name as Path<V>, value, { shouldDirty: true })
  }

  return {
    /** Record as it was when the form opened, or was merged last. */
    seen,
    labels,
    differences,
    merge(current: R): void {
      if (!seen) return
      const states = { base: valuesOf(seen), mine: form.getValues(), theirs: valuesOf(current) }
      // The labels' names are those of the form's fields.
      setDifferences(differencesOf(Object.keys(labels) as Path<V>[], states))
      fill(mergedValues(states), states.theirs)
      setSeen(current)
    },
    /** Takes over what has been saved, where the form stays open. */
    saved(current: R): void {
      setDifferences([])
      setSeen(current)
    },
    /** Puts one of the two values into the form. */
    choose({ name, mine, theirs }: Difference<Path<V>>, whose: 'mine' | 'theirs'): void {
      const chosen = (whose === 'mine' ? mine : theirs) as V[Path<V>]
      form.setValue(name, chosen, { shouldDirty: true, shouldValidate: true })
    },
  }
}

export type Conflict<V extends FieldValues> = Pick<
  ReturnType<typeof useConflict<V, unknown>>,
  'labels' | 'differences' | 'choose'
>
