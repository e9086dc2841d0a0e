import { templatePlaceholders } from '@parley/contracts/placeholders'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { templateChoices } from '../../../lib/choices/templates.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { sendingNumberChoices } from '../choices.ts'
import type { Draft, DraftContext } from './draft.ts'
import { likelySource } from './variables.ts'

/** What the draft is judged by, which it cannot be before that is `ready`. Fills in what goes without saying: the default number, and where variables come from. */
export function useDraftContext({
  watch,
  getValues,
  setValue,
}: UseFormReturn<Draft>): DraftContext & { readonly ready: boolean } {
  const { now, timeZone } = useClock(0)
  const { data: templates } = useQuery(templateChoices())
  const { data: numbers } = useQuery(sendingNumberChoices())
  const templateId = watch('templateId')
  const placeholders = useMemo(() => {
    const template = templates?.find(({ id }) => id === templateId)
    return template && templatePlaceholders(template)
  }, [templates, templateId])

  useEffect(() => {
    for (const key of placeholders ?? [])
      if (!getValues(`variables.${key}`)) setValue(`variables.${key}`, likelySource(key))
  }, [placeholders, getValues, setValue])

  const usual = numbers?.[0]?.id
  useEffect(() => {
    if (usual !== undefined && getValues('numberId') === '') setValue('numberId', usual)
  }, [usual, getValues, setValue])

  return { placeholders, now, timeZone, ready: templates !== undefined }
}
