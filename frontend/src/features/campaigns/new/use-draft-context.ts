import { filePlaceholders, isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { attributeChoices } from '../../../lib/choices/attributes.ts'
import { sendingNumberChoices } from '../../../lib/choices/numbers.ts'
import { useWorkspaceZone } from '../../../lib/choices/sending-hours.ts'
import { templateChoices } from '../../../lib/choices/templates.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { exampleContacts } from '../choices.ts'
import { type Draft, type DraftContext, recipientFileOf } from './draft.ts'
import { audienceOf } from './draft-fields.ts'
import { likelyFields, likelySource, namedFields } from './variables.ts'

/**
 * Returns the data that the draft is checked against, which is possible only when it is `ready`. Fills in defaults: a number that
 * can send, and sources of variables.
 */
export function useDraftContext({
  watch,
  getValues,
  setValue,
}: UseFormReturn<Draft>): DraftContext & { readonly ready: boolean } {
  const { now } = useClock(0)
  const zone = useWorkspaceZone()
  const { data: templates, isPending } = useQuery(templateChoices())
  const { data: numbers } = useQuery(sendingNumberChoices())
  const templateId = watch('templateId')
  const placeholdersOf = useCallback(
    (wanted: string) => {
      const template = templates?.find(({ id }) => id === wanted)
      return template && templatePlaceholders(template)
    },
    [templates],
  )

  const fileKindOf = useCallback(
    (wanted: string) => {
      const kind = templates?.find(({ id }) => id === wanted)?.headerMedia?.kind
      return isFileHeader(kind) ? kind : undefined
    },
    [templates],
  )

  const { data: attributes, isError } = useQuery(attributeChoices())
  useEffect(() => {
    if (!attributes && !isError) return
    for (const key of placeholdersOf(templateId) ?? [])
      if (!getValues(`variables.${key}`)) setValue(`variables.${key}`, likelySource(key, attributes))
  }, [placeholdersOf, templateId, attributes, isError, getValues, setValue])

  const draft = watch()
  const file = recipientFileOf(draft, fileKindOf(templateId))
  const unfilled = file ? filePlaceholders(file).filter((key) => !file.fields[key]) : []
  const audience = unfilled.length > 0 ? audienceOf(draft) : undefined
  const { data: contacts = [] } = useQuery(exampleContacts(audience))
  const likely = JSON.stringify(likelyFields(unfilled, namedFields(contacts, attributes)))
  useEffect(() => {
    for (const [key, field] of Object.entries(JSON.parse(likely)))
      if (!getValues(`recipientFile.fields.${key}`)) setValue(`recipientFile.fields.${key}`, String(field))
  }, [likely, getValues, setValue])

  const usual = numbers?.[0]?.id
  useEffect(() => {
    const canSend = numbers?.some(({ id }) => id === getValues('numberId'))
    if (usual !== undefined && !canSend) setValue('numberId', usual)
  }, [usual, numbers, getValues, setValue])

  return { placeholdersOf, fileKindOf, now, timeZone: zone.timeZone, ready: !isPending && zone.ready }
}
