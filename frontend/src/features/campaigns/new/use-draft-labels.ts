import type { Audience, DraftFields, VariableSource } from '@parley/contracts/campaigns/campaign-fields'
import { momentOf, type WallTime } from '@parley/contracts/core/zoned-time'
import { tagsLabels, withoutLabels } from '@parley/rules/audience-labels'
import { useQuery } from '@tanstack/react-query'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'
import { sendingNumberChoices } from '../../../lib/choices/numbers.ts'
import { segmentChoices } from '../../../lib/choices/segments.ts'
import { useWorkspaceZone } from '../../../lib/choices/sending-hours.ts'
import { templateChoices } from '../../../lib/choices/templates.ts'
import { counted } from '../../../lib/format.ts'
import { missedLabels, recentLabels, startTime } from '../labels.ts'
import { fileSourceLabel } from './previewed-file.tsx'

const fieldWords: Readonly<Record<string, string>> = {
  firstName: 'first name',
  name: 'full name',
  phone: 'phone number',
  username: 'WhatsApp username',
}

/** Returns a function that labels a draft's field that is not a text; `undefined` for one shown as it is. */
export function useDraftLabels(): (name: string, value: unknown) => string | undefined {
  const { data: segments = [] } = useQuery(segmentChoices())
  const { data: templates } = useQuery(templateChoices())
  const { data: numbers } = useQuery(sendingNumberChoices())
  const { timeZone } = useWorkspaceZone()
  const defined = useAttributes()

  const nameOf = (id: string) => segments.find((segment) => segment.id === id)?.name
  function chosenLabels(audience: Audience): string {
    if (audience.kind === 'tags') return tagsLabels(audience)
    if (audience.kind === 'contacts') return counted(audience.contactIds.length, 'selected contact')
    if (audience.kind === 'import') return 'The people of an import'
    if (audience.kind === 'campaign') return `An earlier campaign: ${missedLabels[audience.missed].toLowerCase()}`
    return `Segment ${nameOf(audience.segmentId) ?? ''}`.trim()
  }
  function audienceLabels(audience: Audience): string {
    const chosen = chosenLabels(audience)
    return audience.exclude ? `${chosen}, without ${withoutLabels(audience.exclude, nameOf)}` : chosen
  }
  function sourceLabels(source: VariableSource): string {
    if (source.kind === 'text') return source.text || 'nothing'
    const field = source.field.startsWith('attributes.')
      ? attributeLabel(source.field.slice('attributes.'.length), defined)
      : (fieldWords[source.field] ?? source.field)
    return source.fallback ? `${field}, else ${source.fallback}` : field
  }
  function wordsOf(field: string, fields: Partial<DraftFields>): string | undefined {
    if (field === 'audience') return fields.audience ? audienceLabels(fields.audience) : 'nobody yet'
    if (field === 'templateId') return templates?.find(({ id }) => id === fields.templateId)?.name
    if (field === 'numberId') return numbers?.find(({ id }) => id === fields.numberId)?.displayName
    if (field === 'schedule') return fields.schedule ? timeLabels(fields.schedule, timeZone) : 'now'
    if (field === 'recentDays') return fields.recentDays ? recentLabels(fields.recentDays) : 'off'
    if (field === 'anyHour') return fields.anyHour ? 'on' : 'off'
    if (field === 'recipientFile')
      return fields.recipientFile ? fileSourceLabel(fields.recipientFile, defined) : 'One file for everybody'
    if (field === 'retryHeldBack') return fields.retryHeldBack ? 'on' : 'off'
    if (field === 'variables')
      return Object.entries(fields.variables ?? {})
        .map(([key, source]) => `{{${key}}}: ${sourceLabels(source)}`)
        .join(' · ')
    return undefined
  }
  return (name, value) => wordsOf(name, { [name]: value })
}

function timeLabels(wall: WallTime, timeZone: string): string {
  const at = momentOf(wall, timeZone)
  return at ? startTime(at.toISOString(), timeZone) : `${wall.date} ${wall.time}`
}
