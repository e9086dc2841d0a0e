import { tagsLabels, withoutLabels } from '@parley/rules/audience-labels'
import { useQuery } from '@tanstack/react-query'
import { segmentChoices } from '../../../lib/choices/segments.ts'
import { counted } from '../../../lib/format.ts'
import { importChoices } from '../choices.ts'
import { missedLabels } from '../labels.ts'
import type { Draft } from '../new/draft.ts'
import { audienceOf } from '../new/draft-fields.ts'
import shared from '../new/new-broadcast.module.css'

/** Shows a draft's audience, and whom it leaves out. */
export function AudienceLine({ draft }: { draft: Draft }) {
  const { data: segments = [] } = useQuery(segmentChoices())
  const exclude = audienceOf(draft)?.exclude
  return (
    <>
      <p className={shared['lead']} dir="auto">
        <Chosen draft={draft} />
      </p>
      {exclude && (
        <p className={shared['lead']} dir="auto">
          Without {withoutLabels(exclude, (id) => segments.find((segment) => segment.id === id)?.name)}
        </p>
      )}
    </>
  )
}

function Chosen({ draft }: { draft: Draft }) {
  const { data: segments } = useQuery(segmentChoices())
  const { data: imports } = useQuery({ ...importChoices(), enabled: draft.kind === 'import' })
  if (draft.kind === 'campaign') return `${draft.earlierName}: ${missedLabels[draft.missed].toLowerCase()}`
  if (draft.kind === 'tags') return tagsLabels(draft)
  if (draft.kind === 'import')
    return `Import of ${imports?.find(({ id }) => id === draft.importId)?.fileName ?? 'contacts'}`
  if (draft.kind === 'contacts') {
    const names = draft.contacts.slice(0, 3).map(({ label }) => label.split(' · ')[0])
    return `${names.join(', ')}${draft.contacts.length > 3 ? ` and ${counted(draft.contacts.length - 3, 'other')}` : ''}`
  }
  return `Segment ${segments?.find(({ id }) => id === draft.segmentId)?.name ?? ''}`.trim()
}
